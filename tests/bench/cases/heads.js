// Sentences and pairs for the head lab: running English of 6 to 25 words, each a token, with trees in
// which a word hangs on one of the words before it. Their scores mean nothing; their cost does.

import { encoderCases } from './encoder.js'

const words = (vocabulary) => encoderCases('encode', vocabulary).at(-1).text.split(' ')

const lengthOf = (index) => 6 + ((index * 7) % 20)

function textOf(all, index) {
  const start = (index * 13) % (all.length - 30)
  return all.slice(start, start + lengthOf(index))
}

function sentenceOf(forms) {
  const text = forms.join(' ')
  let at = 0
  const placed = forms.map((form, i) => {
    const span = [at, at + form.length]
    at += form.length + 1
    const relation = ['root', 'nsubj', 'obj', 'det', 'case'][i % 5]
    return { form, head: i - 1 - (i % 2), relation, tag: '', misc: '', span }
  })
  const drawn = placed.map((word) => ({ ...word, head: Math.max(word.head, -1) }))
  return { text, words: drawn, comments: [], line: 1 }
}

/** What each case works on, and how many tokens pass all layers in it. */
export function headsCases(vocabulary) {
  const all = words(vocabulary)
  const texts = Array.from({ length: 200 }, (_, i) => textOf(all, i))
  const tokens = (list) => list.reduce((sum, { length }) => sum + length + 2, 0)
  const pairs = texts.slice(0, 24).map((forms, i) => [forms, texts[i + 100]])
  const [layers, heads] = [6, 12]
  // A head of layer l costs the layers from l on; then the whole model, for the base and the walk.
  const runs = (heads * (layers + 1)) / 2 + 2
  return [
    {
      kind: 'heads',
      name: 'encode',
      texts: texts.map((forms) => forms.join(' ')),
      tokens: tokens(texts),
    },
    { kind: 'heads', name: 'roles', sentences: texts.map(sentenceOf), tokens: tokens(texts) },
    {
      kind: 'heads',
      name: 'importance',
      pairs: pairs.map((pair) => pair.map((forms) => forms.join(' '))),
      tokens: tokens(pairs.flat()) * runs,
    },
  ]
}
