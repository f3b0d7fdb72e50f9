// Sentences for the encoder: running English made of words that are one token each, so that text and
// ids of a wanted length are known without a tokenizer. Runs in Node and in the browser.

const words = `the old man walked slowly down the long road to the sea and looked at the boats that
lay on the sand because the wind was too strong to go out he sat down near the wall and began to
talk with a young woman who was waiting for her brother they spoke about the weather and the price
of fish and about the war that had taken so many people from the village when the brother came home
in the evening he brought bread and wine and three books from the city and they all went into the
house to eat by the fire while the rain fell on the roof and the children played under the table`.split(
  /\s+/,
)

const lengths = [16, 64, 128, 256, 512]

/** The text of a case with that many tokens, [CLS] and [SEP] among them. */
const textOf = (tokens) =>
  Array.from({ length: tokens - 2 }, (_, i) => words[i % words.length]).join(' ')

function idsOf(text, vocabulary) {
  const idOf = (word) => {
    const id = vocabulary[word]
    if (id === undefined) throw new Error(`'${word}' is not one token of this vocabulary`)
    return id
  }
  return [idOf('[CLS]'), ...text.split(' ').map(idOf), idOf('[SEP]')]
}

/** { kind, name, text, ids } for each length. */
export function encoderCases(kind, vocabulary) {
  return lengths.map((tokens) => {
    const text = textOf(tokens)
    return { kind, name: `${tokens}`, tokens, text, ids: idsOf(text, vocabulary) }
  })
}

/** The mean over all tokens of a hidden state [tokens, width]. */
export function pooled(hidden, tokens) {
  const width = hidden.length / tokens
  const mean = new Float64Array(width)
  for (let i = 0; i < hidden.length; i++) mean[i % width] += hidden[i] / tokens
  return mean
}

/** Some rows of the hidden state as they are, then the mean of all rows. */
export function hiddenSummary({ tokens }, hidden) {
  const width = hidden.length / tokens
  const rows = [0, 1, Math.floor(tokens / 2), tokens - 1].flatMap((row) => [
    ...hidden.subarray(row * width, (row + 1) * width),
  ])
  return [...rows, ...pooled(hidden, tokens)]
}
