// What a model is judged on: the lab's own pairs, translations or passages, or the reader's file. A line
// is a sample; texts of one stand between tabs. Pure but for the fetch.
import { HeadwiseError, plainTreebank, type LossSample, type ModelConfig } from 'headwise'
import pairsUrl from '../../data/pairs.tsv?url'
import passagesUrl from '../../data/passages.txt?url'
import translationsUrl from '../../data/translations.tsv?url'
import type { ModelName } from '../../runtime/models.svelte'

export interface SampleSet {
  id: 'own' | 'file'
  name: string
  /** The file as read, to be hashed. */
  content: string
  samples: readonly LossSample[]
}

type Kind = ModelConfig['kind']

/** So many at least: they are cut into halves, and each half has to have others to be told from. */
export const leastSamples = 8

/** Passages of more words are cut into their sentences, so that they fit into a model. */
const mostWords = 80

const own: Readonly<Record<ModelName, { url: string; name: string }>> = {
  'minilm-l6': { url: pairsUrl, name: 'headwise pairs' },
  'translate-en-fr': { url: translationsUrl, name: 'headwise translations' },
  'novels-lm': { url: passagesUrl, name: 'headwise passages' },
}

const wrong = (argument: string, expected: string, received: string): HeadwiseError =>
  new HeadwiseError({ code: 'CORRUPT_FILE', argument, expected, received })

/**
 * The samples in a file for a model of this kind: pairs; a source with its translations; passages.
 *
 * @throws HeadwiseError `CORRUPT_FILE` with the line
 */
export function parseSamples(content: string, kind: Kind): LossSample[] {
  const samples = kind === 'decoder' ? passagesIn(content) : pairsIn(content, kind)
  if (samples.length >= leastSamples) return samples
  const what = kind === 'decoder' ? 'passages' : 'pairs'
  throw wrong(what, `${String(leastSamples)} or more`, String(samples.length))
}

function pairsIn(content: string, kind: Kind): LossSample[] {
  const most = kind === 'encoder' ? 2 : Infinity
  return content.split(/\r?\n/).flatMap((line, place): LossSample[] => {
    if (line.trim() === '' || line.startsWith('#')) return []
    const texts = line.split('\t').map((text) => text.trim())
    const [first, second, ...more] = texts
    if (texts.includes('') || !first || !second || texts.length > most) {
      const expected =
        kind === 'encoder'
          ? 'two sentences with a tab between them'
          : 'a sentence and its translations with tabs between them'
      throw wrong(`line ${String(place + 1)}`, expected, `${String(texts.length)} columns`)
    }
    return [[first, second, ...more]]
  })
}

/** A line each; of a text with empty lines a paragraph each. Long ones by sentences. */
function passagesIn(content: string): string[] {
  const text = content.replace(/\r\n?/g, '\n').replace(/^#.*\n?/gm, '')
  const parts = /\n\s*\n/.test(text.trim()) ? text.split(/\n\s*\n/) : text.split('\n')
  return parts.flatMap((part) => {
    const passage = part.replace(/\s+/g, ' ').trim()
    if (passage === '') return []
    if (passage.split(' ').length <= mostWords) return [passage]
    return plainTreebank(passage).sentences.map((sentence) => sentence.text)
  })
}

export async function ownSamples(model: ModelName, kind: Kind): Promise<SampleSet> {
  const { url, name } = own[model]
  const response = await fetch(url)
  if (!response.ok) {
    throw new Error(`${url}: expected the samples; received status ${String(response.status)}`)
  }
  const content = await response.text()
  return { id: 'own', name, content, samples: parseSamples(content, kind) }
}

export const fileSamples = (name: string, content: string, kind: Kind): SampleSet => ({
  id: 'file',
  name,
  content,
  samples: parseSamples(content, kind),
})
