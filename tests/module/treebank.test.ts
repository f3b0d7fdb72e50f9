// CoNLL-U and plain text as sentences: every kind of line, what is broken, a million words.
import { HeadwiseError, parseTreebank, plainTreebank, readTreebank } from 'headwise'
import { expect, test } from 'vitest'

const word = (
  id: string | number,
  form: string,
  head: string | number,
  relation: string,
  misc = '_',
) => [id, form, '_', 'X', '_', '_', head, relation, '_', misc].join('\t')

test('words, heads, relations, spans, comments', () => {
  const { sentences, words } = parseTreebank(
    [
      '\uFEFF# sent_id = one',
      '# text = Birds sing.',
      word(1, 'Birds', 2, 'nsubj'),
      word(2, 'sing', 0, 'root', 'SpaceAfter=No'),
      word(3, '.', 2, 'punct'),
      '',
      '',
      '# newpar',
      word(1, 'Yes', 0, 'root'),
    ].join('\r\n'),
  )
  expect(words).toBe(4)
  expect(sentences).toHaveLength(2)
  const [first, second] = sentences
  expect(first).toMatchObject({ id: 'one', text: 'Birds sing.', line: 3 })
  expect(first?.comments).toEqual(['sent_id = one', 'text = Birds sing.'])
  expect(first?.words.map(({ head }) => head)).toEqual([1, -1, 1])
  expect(first?.words.map(({ relation }) => relation)).toEqual(['nsubj', 'root', 'punct'])
  expect(first?.words.map(({ span }) => span)).toEqual([
    [0, 5],
    [6, 10],
    [10, 11],
  ])
  expect(second).toMatchObject({ text: 'Yes', line: 9 })
  expect(second).not.toHaveProperty('id')
})

test('contractions that spell their words, and those that do not; empty nodes', () => {
  const { sentences } = parseTreebank(
    [
      '# text = She can’t vámonos',
      word(1, 'She', 2, 'nsubj'),
      word('2-3', 'can’t', '_', '_'),
      word(2, 'ca', 0, 'root'),
      word(3, 'n’t', 2, 'advmod'),
      word('4-5', 'vámonos', '_', '_'),
      word(4, 'vamos', 2, 'x'),
      word(5, 'nos', 4, 'obj'),
      word('5.1', 'ghost', '_', '_'),
    ].join('\n'),
  )
  const [{ text, words } = { text: '', words: [] }] = sentences
  expect(words.map(({ form }) => form)).toEqual(['She', 'ca', 'n’t', 'vamos', 'nos'])
  expect(words.map(({ span }) => text.slice(...span))).toEqual([
    'She',
    'ca',
    'n’t',
    'vámonos',
    'vámonos',
  ])
})

test('a text that is missing, or is not these words, is put together', () => {
  for (const comment of ['# text = Something else', '# source = none']) {
    const lines = [comment, word(1, 'Go', 0, 'root', 'SpaceAfter=No|x=y'), word(2, '!', 1, 'punct')]
    const [sentence] = parseTreebank(lines.join('\n')).sentences
    expect(sentence?.text).toBe('Go!')
    expect(sentence?.words[1]?.span).toEqual([2, 3])
    expect(sentence?.words[0]?.misc).toBe('SpaceAfter=No|x=y')
  }
})

test('a form with a space in it, and trees that nobody has drawn', () => {
  const [sentence] = parseTreebank(
    ['# text = 20 000 cats', word(1, '20 000', '_', '_'), word(2, 'cats', '_', '_')].join('\n'),
  ).sentences
  expect(sentence?.words.map(({ head, relation }) => [head, relation])).toEqual([
    [-1, ''],
    [-1, ''],
  ])
  expect(sentence?.words[0]?.span).toEqual([0, 6])
})

test.each([
  ['too few columns', '1\tBirds\tNOUN', 3, '10 columns'],
  ['spaces for tabs', word(1, 'Birds', 0, 'root').replaceAll('\t', ' '), 3, '10 columns'],
  ['a word that is left out', word(2, 'sing', 0, 'root'), 3, 'word 1'],
  ['a head that is no number', word(1, 'Birds', 'two', 'nsubj'), 3, 'head'],
  ['a head below 0', word(1, 'Birds', -2, 'nsubj'), 3, 'head'],
  ['its own head', word(1, 'Birds', 1, 'nsubj'), 3, 'head'],
  ['a head that is not there', word(1, 'Birds', 9, 'nsubj'), 3, 'a head from 0 to 1'],
  ['an inverted range', word('1-1', 'Birds', '_', '_'), 3, 'a range'],
  [
    'a range over words that are not there',
    `${word('1-3', 'ab', '_', '_')}\n${word(1, 'a', 0, 'root')}`,
    4,
    '3',
  ],
  ['a comment amid words', `${word(1, 'a', 0, 'root')}\n# late`, 4, '10 columns'],
])('%s is refused with its line', (_name, lines, line, expected) => {
  const broken = ['# sent_id = x', '# text = Birds sing', lines].join('\n')
  expect(() => parseTreebank(broken)).toThrow(HeadwiseError)
  try {
    parseTreebank(broken)
  } catch (error) {
    expect(error).toMatchObject({ code: 'CORRUPT_FILE', argument: `line ${line}` })
    expect((error as HeadwiseError).expected).toContain(expected)
  }
})

test('a million words', () => {
  const sentence = Array.from({ length: 20 }, (_, i) => word(i + 1, `w${i}`, i, 'dep')).join('\n')
  const { sentences, words } = parseTreebank(Array<string>(50_000).fill(sentence).join('\n\n'))
  expect(words).toBe(1_000_000)
  expect(sentences[49_999]?.words[19]).toMatchObject({ form: 'w19', head: 18 })
})

test('a file in chunks is what its text is, umlauts at their borders too', async () => {
  const lines = Array.from({ length: 9000 }, (_, i) => [word(1, `Ä고${i}`, 0, 'root'), '']).flat()
  const text = lines.join('\r\n')
  const progress: number[] = []
  const onProgress = ({ done, total }: { done: number; total: number }) =>
    progress.push(done / total)
  const read = await readTreebank(new Blob([text]), { onProgress })
  expect(read).toEqual(parseTreebank(text))
  expect(read.words).toBe(9000)
  expect(progress.length).toBeGreaterThan(2)
  expect(progress.at(-1)).toBe(1)

  const broken = new Blob([text, '\n1\tx'])
  await expect(readTreebank(broken)).rejects.toMatchObject({ argument: 'line 18001' })
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(readTreebank(broken, { signal })).rejects.toThrow('enough')
  await expect(readTreebank(text as unknown as Blob)).rejects.toMatchObject({ argument: 'file' })
})

test('what is no text, and no words at all', () => {
  expect(() => parseTreebank(7 as unknown as string)).toThrow('a string')
  expect(parseTreebank('')).toEqual({ sentences: [], words: 0 })
  expect(parseTreebank('# only = comments\n\n').sentences).toEqual([])
})

test('plain text: sentences, lines, words with punctuation apart, Korean', () => {
  const { sentences, words } = plainTreebank('Birds sing. Cats do not!\n고양이가 잔다', {
    locale: 'en',
  })
  expect(sentences.map(({ text }) => text)).toEqual([
    'Birds sing.',
    'Cats do not!',
    '고양이가 잔다',
  ])
  expect(sentences.map(({ line }) => line)).toEqual([1, 1, 2])
  expect(sentences[0]?.words.map(({ form }) => form)).toEqual(['Birds', 'sing', '.'])
  for (const sentence of sentences) {
    for (const { form, span } of sentence.words) expect(sentence.text.slice(...span)).toBe(form)
  }
  expect(words).toBe(9)
  expect(plainTreebank(' \n\n').sentences).toEqual([])
  expect(() => plainTreebank('a', { locale: 'not a locale' })).toThrow()
})
