// The GAP corpus (Webster et al. 2018): tab-separated, a pronoun and two names in each row.
import { HeadwiseError } from '../errors.js'
import type { CoreferenceExample } from '../types/head-roles.js'
import type { TokenSpan } from '../types/tokens.js'

const columns = [
  'Text',
  'Pronoun',
  'Pronoun-offset',
  'A',
  'A-offset',
  'A-coref',
  'B',
  'B-offset',
  'B-coref',
]

/** The rows in which exactly one of the two names is right. */
export function readGap(text: string): CoreferenceExample[] {
  const [header = '', ...lines] = text.split(/\r?\n/)
  const names = header.split('\t')
  const places = columns.map((name) => names.indexOf(name))
  const missing = columns.filter((_, i) => places[i] === -1)
  if (missing.length > 0) throw corrupt(1, `the columns of GAP, ${missing.join(', ')} among them`)
  const examples: CoreferenceExample[] = []
  lines.forEach((line, i) => {
    if (line === '') return
    const cells = line.split('\t')
    const values = places.map((place) => cells[place] ?? '')
    const [content = '', pronoun, at, a, atA, aIsRight, b, atB, bIsRight] = values
    const span = (form = '', offset = ''): TokenSpan => {
      const start = Number(offset)
      if (content.startsWith(form, start) && form !== '') return [start, start + form.length]
      throw corrupt(i + 2, `'${form}' at ${offset} of the text`)
    }
    const spans = [span(a, atA), span(b, atB)] as const
    if (aIsRight === bIsRight) return
    const [antecedent, other] = aIsRight === 'TRUE' ? spans : [spans[1], spans[0]]
    examples.push({ text: content, mention: span(pronoun, at), antecedent, other })
  })
  return examples
}

function corrupt(line: number, expected: string): HeadwiseError {
  const received = 'another one'
  return new HeadwiseError({ code: 'CORRUPT_FILE', argument: `line ${line}`, expected, received })
}
