// What roles are measured on: the lab's own sentences, the reader's text, or the reader's file.
import { parseTreebank, plainTreebank, readTreebank } from 'headwise'
import type { Treebank, TreebankSentence } from 'headwise'
import type { CoreferenceExample } from 'headwise'
import coreferenceUrl from '../../data/coreference.txt?url'
import sentencesUrl from '../../data/sentences.conllu?url'
import type { BankId } from '../../state/rolesView'
import { parseCoreference } from './coreference'

export interface Bank {
  id: BankId
  /** As files and sentences for papers call it. */
  name: string
  /** The file as read or the text as typed, to be hashed. */
  content: string | Uint8Array<ArrayBuffer>
  sentences: readonly TreebankSentence[]
  words: number
  /** Whether there are trees. */
  labelled: boolean
}

/** Predictions of every head for every word are kept up to so many words: 14 MB. */
export const mostWordsWithExamples = 50_000

async function fetched(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok)
    throw new Error(`${url}: expected the file; received status ${String(response.status)}`)
  return response.text()
}

export async function ownBank(): Promise<Bank> {
  const content = await fetched(sentencesUrl)
  return { id: 'own', name: 'headwise sentences', content, ...treesOf(parseTreebank(content)) }
}

export async function ownCoreference(): Promise<{
  content: string
  examples: readonly CoreferenceExample[]
}> {
  const content = await fetched(coreferenceUrl)
  return { content, examples: parseCoreference(content) }
}

export function textBank(text: string): Bank {
  return { id: 'text', name: 'text', content: text, ...plainTreebank(text), labelled: false }
}

/** Ten columns with tabs between them somewhere: a treebank, right or broken; else plain text. */
const looksLikeTreebank = (content: string): boolean => /^(?:[^\t\n]*\t){9}/m.test(content)
const isTreebankName = (name: string): boolean => /\.(conllu?|conll-u)$/i.test(name)

/** So much of a file shows what it is. */
const beginning = 65_536

/**
 * Reads a file with pauses, so that a large one does not hold the page up.
 *
 * @throws HeadwiseError `CORRUPT_FILE` with the line, for a broken treebank
 */
export async function fileBank(file: File): Promise<Bank> {
  const { name } = file
  if (isTreebankName(name) || looksLikeTreebank(await file.slice(0, beginning).text())) {
    const trees = treesOf(await readTreebank(file))
    return { id: 'file', name, content: new Uint8Array(await file.arrayBuffer()), ...trees }
  }
  const content = await file.text()
  return { id: 'file', name, content, ...plainTreebank(content), labelled: false }
}

function treesOf({ sentences, words }: Treebank): Pick<Bank, 'sentences' | 'words' | 'labelled'> {
  const labelled = sentences.some((sentence) => sentence.words.some(({ head }) => head >= 0))
  return { sentences, words, labelled }
}
