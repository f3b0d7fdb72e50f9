// What chapter 10 shows besides the text, the head and the token, and its form in the address. Pure.
import { sizeFrom } from './parametersView'

export interface VariantsView {
  /** Latent attention instead of groups. */
  latent: boolean
  /** Heads of keys and values; null stands for as many as there are heads. */
  kvHeads: number | null
  /** Width of the latent, d_c. */
  rank: number
  /** Tokens in the cache: 2 to this power. */
  context: number
}

export const mostContext = 17 // 131,072 tokens
const largestRank = 8192

export const defaultVariants: VariantsView = {
  latent: false,
  kvHeads: 4,
  rank: 256,
  context: 12,
}

export function parseVariants(given: URLSearchParams): VariantsView {
  const { latent, kvHeads, rank, context } = defaultVariants
  const kind = given.get('variant')
  const groups = sizeFrom(/^gqa(\d+)$/.exec(kind ?? '')?.[1] ?? null, 999, kvHeads)
  return {
    latent: kind === null ? latent : kind === 'mla',
    kvHeads: kind === 'mha' ? null : groups,
    rank: sizeFrom(given.get('rank'), largestRank, rank),
    context:
      given.get('context') === '0' ? 0 : sizeFrom(given.get('context'), mostContext, context),
  }
}

/** The variant always where the chapter is open; the rest where it differs from the default. */
export function writeVariants(view: VariantsView, open: boolean, query: URLSearchParams): void {
  const put = (name: string, value: string, usual: string): void => {
    if (value !== usual) query.set(name, value)
  }
  put('variant', nameOf(view), open ? '' : nameOf(defaultVariants))
  put('rank', String(view.rank), String(defaultVariants.rank))
  put('context', String(view.context), String(defaultVariants.context))
}

function nameOf({ latent, kvHeads }: VariantsView): string {
  if (latent) return 'mla'
  return kvHeads === null ? 'mha' : `gqa${String(kvHeads)}`
}
