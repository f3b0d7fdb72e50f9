// What chapter 15 says of others' work, and where that stands.
import type { ReferenceId } from '../../references/bibliography'
import type { PlaceId } from '../../state/glossaryView'

/** Where the usual account and the measurement differ; those with live numbers first. */
export const differenceIds = [
  'verb',
  'rest',
  'noun',
  'objects',
  'rank',
  'roles',
  'latent',
  'names',
] as const
export type DifferenceId = (typeof differenceIds)[number]

export const differenceSources: Record<DifferenceId, ReferenceId | null> = {
  verb: null,
  rest: 'clark',
  noun: null,
  objects: 'clark',
  rank: 'bhojanapalli',
  roles: 'michel',
  latent: 'deepseek',
  names: 'devlin',
}

export const placeSources: Record<PlaceId, ReferenceId> = {
  'multi-head': 'vaswani',
  transformer: 'vaswani',
  alignment: 'bahdanau',
  recurrence: 'vaswani',
  convolution: 'vaswani',
  'dot-product': 'vaswani',
  self: 'vaswani',
  cross: 'vaswani',
  gqa: 'ainslie',
  mqa: 'shazeer',
  mla: 'deepseek',
  flash: 'dao',
  mixture: 'shazeer-experts',
}
