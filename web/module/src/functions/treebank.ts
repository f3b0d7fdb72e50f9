// Sentences out of text: CoNLL-U, as Universal Dependencies publishes its treebanks, or plain text
// without trees. Needs no runtime.
import { HeadwiseError, invalidArgument } from '../errors.js'
import type { AnalysisProgress } from '../types/head-roles.js'
import type { TokenSpan } from '../types/tokens.js'
import type { Treebank, TreebankSentence, TreebankWord } from '../types/treebank.js'
import { describe } from '../validate/describe.js'
import { checkCallOptions, checkFunction, checkOptions } from '../validate/options.js'
import { nextTask } from '../next-task.js'

function corrupt(line: number, expected: string, received: string): HeadwiseError {
  return new HeadwiseError({ code: 'CORRUPT_FILE', argument: `line ${line}`, expected, received })
}

/** A word, or a contraction of several words, as it stands in the text. */
interface SurfaceToken {
  form: string
  spaceAfter: boolean
  /** Indices of its words; of a word that belongs to a contraction, none of its own. */
  first: number
  last: number
}

type OpenWord = Omit<TreebankWord, 'span'> & { line: number }

/** The lines of one sentence, as they come. */
class OpenSentence {
  readonly comments: string[] = []
  readonly words: OpenWord[] = []
  readonly #surface: SurfaceToken[] = []
  line = 0
  /** Words up to this one belong to a contraction that has come. */
  #covered = -1

  add(columns: readonly string[], line: number): void {
    if (columns.length !== 10) {
      throw corrupt(line, '10 columns between tabs', String(columns.length))
    }
    if (this.line === 0) this.line = line
    const [id = '', form = '', , tag = '', , , head = '', relation = '', , misc = ''] = columns
    const spaceAfter = !misc.split('|').includes('SpaceAfter=No')
    const next = this.words.length
    if (/^\d+\.\d+$/.test(id)) return // an empty node: a word that is not there
    if (/^\d+-\d+$/.test(id)) {
      const [first = 0, last = 0] = id.split('-').map((part) => Number(part) - 1)
      if (first !== next || last <= first || first <= this.#covered) {
        throw corrupt(line, `a range that begins with ${next + 1}`, describe(id))
      }
      this.#covered = last
      this.#surface.push({ form, spaceAfter, first, last })
      return
    }
    if (id !== String(next + 1)) throw corrupt(line, `word ${next + 1}`, describe(id))
    const place = head === '_' ? -1 : Number(head) - 1
    if (!/^(\d+|_)$/.test(head) || place === next || !Number.isSafeInteger(place)) {
      throw corrupt(line, 'the number of another word as head, or 0', describe(head))
    }
    if (next > this.#covered) this.#surface.push({ form, spaceAfter, first: next, last: next })
    const known = (value: string) => (value === '_' ? '' : value)
    this.words.push({
      form,
      head: place,
      relation: known(relation),
      tag: known(tag),
      misc: known(misc),
      line,
    })
  }

  close(line: number): TreebankSentence {
    const { words, comments } = this
    if (this.#covered >= words.length) {
      throw corrupt(line, `the words up to ${this.#covered + 1}`, `${words.length} words`)
    }
    for (const word of words) {
      if (word.head < words.length) continue
      throw corrupt(word.line, `a head from 0 to ${words.length}`, String(word.head + 1))
    }
    const valueOf = (key: string) =>
      comments
        .find((comment) => comment.startsWith(`${key} =`))
        ?.slice(key.length + 2)
        .trim()
    const written = valueOf('text')
    const text = written !== undefined && this.#places(written) ? written : this.#joined()
    const places = this.#places(text) as TokenSpan[]
    const spans: TokenSpan[] = []
    this.#surface.forEach((token, i) => spans.push(...this.#wordSpans(token, places[i] ?? [0, 0])))
    const id = valueOf('sent_id')
    return {
      text,
      words: words.map(({ form, head, relation, tag, misc }, i) => {
        return { form, head, relation, tag, misc, span: spans[i] ?? [0, 0] }
      }),
      comments,
      ...(id !== undefined && { id }),
      line: this.line,
    }
  }

  /** Where each token stands in the text; undefined when it is not these tokens in turn. */
  #places(text: string): TokenSpan[] | undefined {
    let from = 0
    const places: TokenSpan[] = []
    for (const { form } of this.#surface) {
      const start = text.indexOf(form, from)
      if (start < 0 || text.slice(from, start).trim() !== '') return undefined
      from = start + form.length
      places.push([start, from])
    }
    return places
  }

  /** The text that the tokens make, where the file does not tell it. */
  #joined(): string {
    const parts = this.#surface.map(({ form, spaceAfter }) => form + (spaceAfter ? ' ' : ''))
    return parts.join('').trimEnd()
  }

  /** A contraction's words lie side by side in it where they spell it, else on all of it. */
  #wordSpans({ form, first, last }: SurfaceToken, [start, end]: TokenSpan): TokenSpan[] {
    const forms = this.words.slice(first, last + 1).map((word) => word.form)
    let at = start
    const isSpelled = forms.join('') === form
    return forms.map((part) => {
      if (!isSpelled) return [start, end]
      at += part.length
      return [at - part.length, at]
    })
  }
}

/** Reads the lines of a treebank as they come. */
class TreebankReader {
  readonly #sentences: TreebankSentence[] = []
  #open = new OpenSentence()
  #words = 0
  #line = 0
  /** What has come of a line that has not ended. */
  #rest = ''

  push(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#read(this.#rest + text.slice(from, end))
      this.#rest = ''
      from = end + 1
    }
    this.#rest += text.slice(from)
  }

  end(): Treebank {
    if (this.#rest !== '') this.#read(this.#rest)
    this.#close()
    return { sentences: this.#sentences, words: this.#words }
  }

  #read(line: string): void {
    this.#line++
    const start = this.#line === 1 && line.startsWith('\uFEFF') ? 1 : 0
    const content = line.slice(start, line.endsWith('\r') ? -1 : undefined)
    if (content.trim() === '') this.#close()
    else if (content.startsWith('#') && this.#open.words.length === 0) {
      this.#open.comments.push(content.slice(1).trim())
    } else this.#open.add(content.split('\t'), this.#line)
  }

  #close(): void {
    if (this.#open.words.length > 0) this.#sentences.push(this.#open.close(this.#line))
    this.#words += this.#open.words.length
    this.#open = new OpenSentence()
  }
}

/**
 * Reads a treebank in the format CoNLL-U: ten columns a word, sentences ended by an empty line.
 * Contractions (`1-2`) give their words singly, empty nodes (`1.1`) are passed over, comments are
 * kept. The text of a sentence is that of its comment `text`, or is put together from the words.
 *
 * @example
 * ```js
 * import { parseTreebank } from 'headwise'
 *
 * const columns = (...values) => values.join('\t')
 * const { sentences } = parseTreebank(
 *   [
 *     '# text = Birds sing',
 *     columns(1, 'Birds', 'bird', 'NOUN', '_', '_', 2, 'nsubj', '_', '_'),
 *     columns(2, 'sing', 'sing', 'VERB', '_', '_', 0, 'root', '_', '_'),
 *   ].join('\n'),
 * )
 * const [{ text, words }] = sentences
 * console.log(text, words[0].relation, words[words[0].head].form) // Birds sing nsubj sing
 * ```
 *
 * @throws HeadwiseError `CORRUPT_FILE`, whose `argument` is the line: `'line 12'`
 */
export function parseTreebank(text: string): Treebank {
  if (typeof text !== 'string') throw invalidArgument('text', 'a string', describe(text))
  const reader = new TreebankReader()
  reader.push(text)
  return reader.end()
}

/** Of a file at a time. */
const chunkBytes = 1 << 16

/** Milliseconds after which reading a file pauses for others. */
const pauseAfter = 20

/**
 * Reads a treebank from a file as `parseTreebank` does, with pauses: a page stays responsive while a
 * million words are read.
 *
 * @throws HeadwiseError `CORRUPT_FILE`, whose `argument` is the line; the signal's reason
 */
export async function readTreebank(
  file: Blob,
  options: { signal?: AbortSignal; onProgress?: (progress: AnalysisProgress) => void } = {},
): Promise<Treebank> {
  if (!(file instanceof Blob)) throw invalidArgument('file', 'a File or Blob', describe(file))
  checkOptions(options, 'options', ['signal', 'onProgress'])
  checkCallOptions({ signal: options.signal })
  checkFunction(options.onProgress, 'onProgress')
  const reader = new TreebankReader()
  const decoder = new TextDecoder()
  let [done, since] = [0, performance.now()]
  for (let from = 0; from < file.size; from += chunkBytes) {
    options.signal?.throwIfAborted()
    const bytes = await file.slice(from, from + chunkBytes).arrayBuffer()
    reader.push(decoder.decode(bytes, { stream: true }))
    done += bytes.byteLength
    options.onProgress?.({ done, total: file.size })
    if (performance.now() - since < pauseAfter) continue
    await nextTask()
    since = performance.now()
  }
  reader.push(decoder.decode())
  return reader.end()
}

/**
 * Cuts plain text into sentences and words, without trees; by the rules of Unicode for the language
 * `locale`. A line end always ends a sentence.
 *
 * @throws HeadwiseError `UNSUPPORTED` where the engine has no `Intl.Segmenter`
 */
export function plainTreebank(text: string, options: { locale?: string } = {}): Treebank {
  if (typeof text !== 'string') throw invalidArgument('text', 'a string', describe(text))
  checkOptions(options, 'options', ['locale'])
  const { locale } = options
  if (locale !== undefined && typeof locale !== 'string') {
    throw invalidArgument('locale', 'a string', describe(locale))
  }
  if (!('Segmenter' in Intl)) {
    throw new HeadwiseError({
      code: 'UNSUPPORTED',
      argument: 'text',
      expected: 'an engine with Intl.Segmenter',
      received: 'one without',
    })
  }
  const cutSentences = new Intl.Segmenter(locale, { granularity: 'sentence' })
  const cutWords = new Intl.Segmenter(locale, { granularity: 'word' })
  const sentences: TreebankSentence[] = []
  let count = 0
  text.split('\n').forEach((content, index) => {
    for (const { segment } of cutSentences.segment(content)) {
      const sentence = segment.trim()
      const words = [...cutWords.segment(sentence)]
        .filter(({ segment: form }) => form.trim() !== '')
        .map(({ segment: form, index: start }): TreebankWord => {
          const span: TokenSpan = [start, start + form.length]
          return { form, head: -1, relation: '', tag: '', misc: '', span }
        })
      if (words.length === 0) continue
      count += words.length
      sentences.push({ text: sentence, words, comments: [], line: index + 1 })
    }
  })
  return { sentences, words: count }
}
