// How a model marks where a text begins and ends. The words of this chapter write MiniLM's.
import type { ModelName } from '../../runtime/models.svelte'
import { subject } from '../../runtime/subject.svelte'

/** The translator has none at the beginning, the language model none at the end. */
const marks: Readonly<Record<ModelName, readonly [beginning: string, end: string]>> = {
  'minilm-l6': ['[CLS]', '[SEP]'],
  'translate-en-fr': ['<s>', '</s>'],
  'novels-lm': ['<s>', '</s>'],
}

/** The words with the marks of the model that is measured. */
export function withMarks(words: string): string {
  const [beginning, end] = marks[subject.name]
  return words.replaceAll('[CLS]', beginning).replaceAll('[SEP]', end)
}
