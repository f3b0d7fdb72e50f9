// A text of ours that is long enough to show the bound: 95 tokens, three times the d_k of the model.
export const longText =
  'The first heads that people found in a trained model were easy to describe: one looks at the ' +
  'word before, another at the word after, a third at the separator when it has nothing better to ' +
  'do. Later ones were harder. A head that finds the noun of a pronoun in one sentence may look at ' +
  'the comma in the next, and nobody can say whether it failed, rested, or did something for which ' +
  'there is no name yet.'
