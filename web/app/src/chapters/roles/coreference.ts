// The lab's sentences with a pronoun: marks out of the text, spans in their place. Pure.
import type { CoreferenceExample, TokenSpan } from 'headwise'

const marks = [
  ['antecedent', /\*(\w+)\*/],
  ['other', /_(\w+)_/],
  ['mention', /\[(\w+)\]/],
] as const

/** One sentence: `The *cat* sat on the _mat_ because [it] was tired.` */
export function markedSentence(line: string): CoreferenceExample {
  const found = marks.map(([name, mark]) => {
    const match = mark.exec(line)
    if (!match) throw new Error(`${line}: expected a marked ${name}`)
    return { name, start: match.index, length: match[1]?.length ?? 0 }
  })
  // Two characters go with each mark before a place, and one with its own opening.
  const spanOf = (name: string): TokenSpan => {
    const own = found.find((each) => each.name === name)
    if (!own) throw new Error(`${line}: expected a marked ${name}`)
    const before = found.filter(({ start }) => start < own.start).length
    const start = own.start - 2 * before
    return [start, start + own.length]
  }
  return {
    text: line.replace(/[*_[\]]/g, ''),
    mention: spanOf('mention'),
    antecedent: spanOf('antecedent'),
    other: spanOf('other'),
  }
}

export function parseCoreference(file: string): CoreferenceExample[] {
  return file
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(markedSentence)
}
