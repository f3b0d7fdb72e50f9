// Running text with typed references into the figures: a catalogue writes a sentence as a list of
// parts, and a reference names a part of a figure by its identifier, never by a selector.

/** Parts of figures that text can point at. */
export type FigurePart =
  | 'text'
  | 'tokens'
  | 'grid'
  | 'opened'
  | 'row'
  | 'column'
  | 'bars'
  | 'scale'
  | 'matrices'
  | 'slice'
  | 'every'
  | 'variants'
  | 'modelspace'
  | 'headspace'
  | 'pairs'
  | 'redundancy'
  | 'angles'
  | 'ranks'
  | 'lengths'
  | 'lab'
  | 'circle'
  | 'fits'
  | 'norms'
  | 'split'
  | 'errors'
  | 'cache'
  | 'spectrum'
  | 'prices'
  | 'published'
  | 'tiles'
  | 'rows'
  | 'moved'
  | 'loops'
  | 'depth'
  | 'roof'
  | 'growth'
  | 'device'
  | 'levels'
  | 'terms'
  | 'neighbours'
  | 'differences'
  | 'equation'
  | 'cell'
  | 'adds'
  | 'beyond'
  | 'budget'
  | 'heads'
  | 'lost'
  | 'scores'
  | 'weights'
  | 'variance'
  | 'entropy'
  | 'gradient'
  | 'factor'
  | 'rolegrid'
  | 'rolemap'
  | 'examples'
  | 'coreference'
  | 'switches'
  | 'behind'
  | 'meaning'
  | 'importance'
  | 'pruning'
  | 'origins'
  | 'selfmap'
  | 'causalmap'
  | 'crossmap'
  | 'decoding'
  | 'alignment'
  | 'next'
  | 'cachetimes'

export type Inline =
  | string
  | { kind: 'part'; part: FigurePart; text: string }
  | { kind: 'query'; text: string }
  | { kind: 'key'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'term'; text: string }
  | { kind: 'link'; url: string; text: string }
  | { kind: 'math'; mathml: string; text: string }

/** Points at a part of a figure: hovering or focusing it lights the part up, a click goes there. */
export const part = (to: FigurePart, text: string): Inline => ({ kind: 'part', part: to, text })
/** The fixed token. */
export const query = (text: string): Inline => ({ kind: 'query', text })
/** Another token of the reader's sentence. */
export const key = (text: string): Inline => ({ kind: 'key', text })
/** A number that was computed just now. */
export const number = (text: string): Inline => ({ kind: 'number', text })
/** A term at the place that introduces it. */
export const term = (text: string): Inline => ({ kind: 'term', text })
export const link = (url: string, text: string): Inline => ({ kind: 'link', url, text })

/** A formula, rendered when the page is built; `text` is what it is in plain letters. */
export const math = (mathml: string, text: string): Inline => ({ kind: 'math', mathml, text })

/** A symbol with its index. */
export interface IndexedSymbol {
  letter: string
  index: string
}

/** Text cut at its symbols, which are written d_model, d_k, h_kv, W_Q, d'_c. */
export function symbolsIn(text: string): (string | IndexedSymbol)[] {
  const parts = text.split(/\b(d'?|h|W)_(model|kv|[a-zQKVO])(?![a-z_])/)
  return parts.flatMap((part, place): (string | IndexedSymbol)[] => {
    if (place % 3 === 0) return part === '' ? [] : [part]
    return place % 3 === 1 ? [{ letter: part, index: parts[place + 1] ?? '' }] : []
  })
}

/** The words alone, for a title or a label. */
export function plain(inlines: readonly Inline[]): string {
  return inlines.map((each) => (typeof each === 'string' ? each : each.text)).join('')
}
