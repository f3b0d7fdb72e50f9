// What the page shows, as one plain object, and its form in the address:
// `#/ko/look?text=...&layer=3&head=1&token=8`. Everything stands behind the `#`, so that nothing
// typed reaches a server. Pure: no browser objects here; history and reactivity are in view.svelte.ts.

import { divisorBelow } from './divisors'
import { defaultCross, parseCross, writeCross, type CrossView } from './crossView'
import { defaultHeadsOff, parseHeadsOff, writeHeadsOff, type HeadsOffView } from './ablationView'
import { defaultGlossary, parseGlossary, writeGlossary, type GlossaryView } from './glossaryView'
import {
  defaultParameters,
  parseParameters,
  writeParameters,
  type ParametersView,
} from './parametersView'
import {
  defaultSubspaces,
  parseSubspaces,
  writeSubspaces,
  type SubspacesView,
} from './subspacesView'
import { defaultRoles, parseRoles, writeRoles, type RolesView } from './rolesView'
import { defaultVariants, parseVariants, writeVariants, type VariantsView } from './variantsView'
import { defaultSpeed, parseSpeed, writeSpeed, type SpeedView } from './speedView'
import { defaultSteps, parseSteps, writeSteps, type StepsView } from './stepsView'
import { defaultWhy, fitWhy, parseWhy, writeWhy, type WhyView } from './whyView'
import { defaultRank, parseRank, writeRank, type RankView } from './rankView'
import { defaultScale, parseScale, writeScale, type ScaleView } from './scaleView'

export const languages = ['en', 'ko'] as const
export type Language = (typeof languages)[number]

export const chapterIds = [
  'look',
  'why',
  'steps',
  'scale',
  'parameters',
  'subspaces',
  'roles',
  'ablation',
  'rank',
  'variants',
  'speed',
  'cross',
  'glossary',
] as const
export type ChapterId = (typeof chapterIds)[number]

/** Chapters that read the text: their links always say which text, layer, head and token. */
const reading: readonly ChapterId[] = [
  'look',
  'why',
  'steps',
  'scale',
  'subspaces',
  'ablation',
  'rank',
  'variants',
  'speed',
  'cross',
]

/** How the heads of the grid are ordered. */
export const sortIds = [
  'place',
  'target',
  'entropy',
  'distance',
  'previous',
  'next',
  'special',
] as const
export type SortId = (typeof sortIds)[number]

/** What a cell of the opened map shows: the weight, or the norm of weight x value x W_O. */
export const quantities = ['weight', 'contribution'] as const
export type Quantity = (typeof quantities)[number]

export interface View {
  language: Language
  chapter: ChapterId
  /** Folder of the model under `models/`. */
  model: string
  text: string
  /** Second text of a pair; empty for a single text. */
  pair: string
  layer: number
  head: number
  /** The fixed query: index of a token. */
  token: number
  /** The key that is asked about; null stands for the largest weight of the row among the words. */
  key: number | null
  sort: SortId
  quantity: Quantity
  /** Dim the special tokens. */
  dim: boolean
  /** Exponent of the colour scale: 1, or 0.5 to bring out small weights. */
  gamma: 1 | 0.5
  /** Show the opened head as a table of numbers. */
  table: boolean
  /** What chapter 2 shows. */
  why: WhyView
  /** What chapter 3 shows. */
  steps: StepsView
  /** What chapter 4 shows. */
  scale: ScaleView
  /** What chapter 5 shows. */
  parameters: ParametersView
  /** What chapter 6 shows. */
  subspaces: SubspacesView
  /** What chapter 7 shows. */
  roles: RolesView
  /** What chapter 8 shows. */
  headsOff: HeadsOffView
  /** What chapter 9 shows. */
  rank: RankView
  /** What chapter 10 shows. */
  variants: VariantsView
  /** What chapter 11 shows. */
  speed: SpeedView
  /** What chapter 12 shows. */
  cross: CrossView
  /** What chapter 15 shows. */
  glossary: GlossaryView
}

export const defaultText = 'The cat sat on the mat because it was tired'

export const defaultView: Omit<View, 'language'> = {
  chapter: 'look',
  model: 'minilm-l6',
  text: defaultText,
  pair: '',
  layer: 3,
  head: 1,
  token: 8,
  key: null,
  sort: 'place',
  quantity: 'weight',
  dim: false,
  gamma: 1,
  table: false,
  why: defaultWhy,
  steps: defaultSteps,
  scale: defaultScale,
  parameters: defaultParameters,
  subspaces: defaultSubspaces,
  roles: defaultRoles,
  headsOff: defaultHeadsOff,
  rank: defaultRank,
  variants: defaultVariants,
  speed: defaultSpeed,
  cross: defaultCross,
  glossary: defaultGlossary,
}

/** Longer texts are cut before they go into the address: browsers and mailers cut longer links. */
export const longestTextInAddress = 6000

function oneOf<T extends string>(allowed: readonly T[], value: string | null, otherwise: T): T {
  return allowed.find((each) => each === value) ?? otherwise
}

function index(value: string | null, otherwise: number): number {
  return value !== null && /^\d{1,4}$/.test(value) ? Number(value) : otherwise
}

/**
 * Reads the part of an address from `#` on. Whatever is missing or makes no sense takes its default:
 * a link that somebody mistyped still opens the page.
 */
export function parseAddress(hash: string, preferred: Language): View {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  const [, language = null, chapter = null] = path.split('/')
  const given = new URLSearchParams(query)
  const model = given.get('model')
  const text = given.get('text')
  return {
    language: oneOf(languages, language, preferred),
    chapter: oneOf(chapterIds, chapter, defaultView.chapter),
    model: model !== null && /^[a-z0-9-]{1,40}$/.test(model) ? model : defaultView.model,
    text: text ?? defaultView.text,
    pair: given.get('pair') ?? defaultView.pair,
    layer: index(given.get('layer'), defaultView.layer),
    head: index(given.get('head'), defaultView.head),
    token: index(given.get('token'), text === null ? defaultView.token : 0),
    key: given.has('key') ? index(given.get('key'), 0) : null,
    sort: oneOf(sortIds, given.get('sort'), defaultView.sort),
    quantity: oneOf(quantities, given.get('quantity'), defaultView.quantity),
    dim: given.get('dim') === '1',
    gamma: given.get('gamma') === '0.5' ? 0.5 : 1,
    table: given.get('table') === '1',
    why: parseWhy(given),
    steps: parseSteps(given),
    scale: parseScale(given),
    parameters: parseParameters(given),
    subspaces: parseSubspaces(given),
    roles: parseRoles(given),
    headsOff: parseHeadsOff(given),
    rank: parseRank(given),
    variants: parseVariants(given),
    speed: parseSpeed(given),
    cross: parseCross(given),
    glossary: parseGlossary(given),
  }
}

/**
 * The address of a view: what the open chapter is about always, the rest where it differs from the
 * default, so that a text comes along through the chapters that do not read it.
 */
export function formatAddress(view: View): string {
  const query = new URLSearchParams()
  const reads = reading.includes(view.chapter)
  const { text, layer, head, token } = defaultView
  if (reads || view.text !== text) query.set('text', cut(view.text))
  if (view.pair !== '') query.set('pair', cut(view.pair))
  if (view.model !== defaultView.model) query.set('model', view.model)
  if (reads || view.layer !== layer) query.set('layer', String(view.layer))
  if (reads || view.head !== head) query.set('head', String(view.head))
  // Without its token a text would be opened at its first one.
  if (reads || view.text !== text || view.token !== token) query.set('token', String(view.token))
  if (view.key !== null) query.set('key', String(view.key))
  if (view.sort !== defaultView.sort) query.set('sort', view.sort)
  if (view.quantity !== defaultView.quantity) query.set('quantity', view.quantity)
  if (view.dim) query.set('dim', '1')
  if (view.gamma !== 1) query.set('gamma', String(view.gamma))
  if (view.table) query.set('table', '1')
  writeWhy(view.why, query)
  writeSteps(view.steps, view.chapter === 'steps', query)
  writeScale(view.scale, view.chapter === 'scale', query)
  writeParameters(view.parameters, view.chapter === 'parameters', query)
  writeSubspaces(view.subspaces, query)
  writeRoles(view.roles, view.chapter === 'roles', query)
  writeHeadsOff(view.headsOff, view.chapter === 'ablation', query)
  writeRank(view.rank, view.chapter === 'rank', query)
  writeVariants(view.variants, view.chapter === 'variants', query)
  writeSpeed(view.speed, view.chapter === 'speed', query)
  writeCross(view.cross, view.chapter === 'cross', query)
  writeGlossary(view.glossary, query)
  const state = query.size > 0 ? `?${query.toString()}` : ''
  return `#/${view.language}/${view.chapter}${state}`
}

/** Cuts without leaving half of a surrogate pair. */
function cut(text: string): string {
  if (text.length <= longestTextInAddress) return text
  return text.slice(0, longestTextInAddress).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * Where the fixed token goes when the text changes: it stays on the same word where that word is
 * still there (the nearest one if there are several), else on the same place.
 */
export function followToken(
  before: readonly string[],
  fixed: number,
  after: readonly string[],
): number {
  const word = before[fixed]
  if (word === undefined) return defaultToken(after)
  if (after[fixed] === word) return fixed
  const found = after.flatMap((token, place) => (token === word ? [place] : []))
  const nearest = found.sort((a, b) => Math.abs(a - fixed) - Math.abs(b - fixed))[0]
  return nearest ?? Math.min(fixed, lastWord(after.length))
}

/** The middle of a text is as good a place to start as any, and never a special token. */
function defaultToken(tokens: readonly string[]): number {
  return Math.max(0, Math.floor((tokens.length - 1) / 2))
}

/** Before the special token that closes a text. */
function lastWord(length: number): number {
  return Math.max(0, length > 2 ? length - 2 : length - 1)
}

/** The index where it exists, else the last word. */
export function clampToken(index: number, length: number): number {
  return index < length ? index : lastWord(length)
}

/** What there is to point at, once a model has read the text. */
export interface ReadingShape {
  layers: number
  heads: number
  tokens: number
  dModel: number
}

type Pointing = Pick<
  View,
  'layer' | 'head' | 'token' | 'key' | 'why' | 'subspaces' | 'headsOff' | 'variants'
>

/** What of a view points at nothing, and what it points at instead; empty where all is well. */
export function misfits(
  view: Pointing,
  { layers, heads, tokens, dModel }: ReadingShape,
): Partial<View> {
  const { other } = view.subspaces
  const { kvHeads, rank } = view.variants
  const why = fitWhy(view.why, tokens)
  const groups = kvHeads === null ? null : divisorBelow(heads, kvHeads)
  const off = view.headsOff.off.filter((spot) => spot.layer < layers && spot.head < heads)
  return {
    ...(view.layer >= layers && { layer: layers - 1 }),
    ...(view.head >= heads && { head: heads - 1 }),
    ...(view.token >= tokens && { token: clampToken(view.token, tokens) }),
    ...(view.key !== null && view.key >= tokens && { key: null }),
    ...(why !== view.why && { why }),
    ...(other &&
      (other.layer >= layers || other.head >= heads) && {
        subspaces: { ...view.subspaces, other: null },
      }),
    ...(off.length < view.headsOff.off.length && { headsOff: { ...view.headsOff, off } }),
    ...((groups !== kvHeads || rank > dModel) && {
      variants: { ...view.variants, kvHeads: groups, rank: Math.min(rank, dModel) },
    }),
  }
}
