// Single predictions of a head, to be read: a sentence in pieces, what looks, what it looks at, and
// what would be right. Pure.
import type {
  CoreferenceExample,
  CoreferenceScores,
  HeadRoles,
  RoleExample,
  TreebankSentence,
} from 'headwise'

/** What a piece of the sentence is. */
export type Mark = 'from' | 'right' | 'looked' | 'none'

export interface Piece {
  text: string
  /** A word may be what is right and what was looked at. */
  marks: readonly Mark[]
}

export interface ExampleLine {
  id: string
  text: string
  pieces: readonly Piece[]
  right: boolean
  /** In words: what looks, where it looks, where it should. */
  from: string
  looked: string
  wanted: string
  /** Where in the text the looking word begins. */
  at: number
}

type Span = readonly [start: number, end: number]

/** The text cut at marked spans. */
export function piecesOf(text: string, marked: readonly { span: Span; mark: Mark }[]): Piece[] {
  const edges = new Set([0, text.length, ...marked.flatMap(({ span }) => [...span])])
  const cuts = [...edges].sort((a, b) => a - b)
  return cuts.slice(0, -1).map((start, place) => {
    const end = cuts[place + 1] ?? text.length
    const marks = marked
      .filter(({ span }) => span[0] <= start && end <= span[1])
      .map(({ mark }) => mark)
    return { text: text.slice(start, end), marks }
  })
}

interface Look {
  sentence: number
  dependent: number
  predicted: number
  head: number
}

function lineOf(look: Look, { text, words }: TreebankSentence): ExampleLine | null {
  const [from, looked, wanted] = [look.dependent, look.predicted, look.head].map(
    (place) => words[place],
  )
  if (!from || !looked || !wanted) return null
  return {
    id: `${String(look.sentence)}-${String(look.dependent)}`,
    text,
    pieces: piecesOf(text, [
      { span: from.span, mark: 'from' },
      { span: wanted.span, mark: 'right' },
      { span: looked.span, mark: 'looked' },
    ]),
    right: look.predicted === look.head,
    from: from.form,
    looked: looked.form,
    wanted: wanted.form,
    at: from.span[0],
  }
}

function linesOf(looks: readonly Look[], sentences: readonly TreebankSentence[]): ExampleLine[] {
  return looks.flatMap((look) => {
    const sentence = sentences[look.sentence]
    const line = sentence ? lineOf(look, sentence) : null
    return line ? [line] : []
  })
}

export function relationLines(
  examples: readonly RoleExample[],
  sentences: readonly TreebankSentence[],
): ExampleLine[] {
  return linesOf(examples, sentences)
}

/** Whether the word with most weight is the neighbour, for every word that was judged. */
export function neighbourLines(
  { predictions, measures }: HeadRoles,
  sentences: readonly TreebankSentence[],
  step: -1 | 1,
  index: number,
): ExampleLine[] {
  if (!predictions) return []
  const count = measures.previous.mean.data.length
  const looks = Array.from(predictions.sentence, (sentence, place): Look => {
    const dependent = predictions.word[place] ?? 0
    return {
      sentence,
      dependent,
      predicted: predictions.predicted[place * 2 * count + index] ?? -1,
      head: dependent + step,
    }
  })
  return linesOf(looks, sentences)
}

const left = 255

export function coreferenceLines(
  { right }: CoreferenceScores,
  examples: readonly CoreferenceExample[],
  index: number,
  count: number,
): ExampleLine[] {
  return examples.flatMap(({ text, mention, antecedent, other }, place) => {
    const found = right[place * count + index] ?? left
    if (found === left) return []
    const isRight = found === 1
    const looked = isRight ? antecedent : other
    const word = ([start, end]: Span): string => text.slice(start, end)
    return [
      {
        id: String(place),
        text,
        pieces: piecesOf(text, [
          { span: mention, mark: 'from' },
          { span: antecedent, mark: 'right' },
          { span: looked, mark: 'looked' },
        ]),
        right: isRight,
        from: word(mention),
        looked: word(looked),
        wanted: word(antecedent),
        at: mention[0],
      },
    ]
  })
}
