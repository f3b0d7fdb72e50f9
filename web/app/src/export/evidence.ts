// What an experiment found as one file, fit to be cited: what was measured, with what, on what, by
// which options; the numbers; and a sentence for a paper that also says what they do not show.
import type { Language } from '../state/view'
import { tableCsv, type Header } from './table'

/** What an experiment measured on: a text, a treebank, pairs of sentences, or numbers that were made. */
export type DataKind = 'text' | 'treebank' | 'pairs' | 'made'

/** What the chapter knows of its experiment. */
export interface Experiment {
  /** Which one it is, as files name it: `scores-rank`. */
  id: string
  /** Whether the open model took part; made numbers need none. */
  usesModel: boolean
  /** `content` is what the hash is of: the text as typed, the file as read, the made numbers as JSON. */
  data: { kind: DataKind; name: string; content: string | Uint8Array<ArrayBuffer> }
  /** Everything the numbers depend on besides the data. */
  options: Readonly<Record<string, string | number | boolean>>
  seeds: Readonly<Record<string, number>>
  columns: readonly string[]
  /** NaN where nothing was measured. */
  rows: readonly (readonly (string | number)[])[]
  /** For a paper: what was found, with n and its interval where there is one, and what it leaves open. */
  sentence: (language: Language) => string
}

export interface Evidence {
  experiment: string
  model: { name: string; sha256: string } | null
  data: { kind: DataKind; name: string; sha256: string }
  /** Version and build of the module. */
  headwise: string
  /** YYYY-MM-DD, in universal time. */
  date: string
  options: Experiment['options']
  seeds: Experiment['seeds']
  sentence: Readonly<Record<Language, string>>
  /** Shows the experiment again. */
  link: string
  columns: Experiment['columns']
  rows: Experiment['rows']
}

/** SHA-256 in hexadecimal; says so where the browser has none (an address without https). */
export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  // Only secure contexts have it, whatever its type says.
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  if (!subtle) return 'not computed: the page was not opened over https'
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A file that reads back as it is; numbers that are not there are null. */
export function evidenceJson(evidence: Evidence): string {
  return `${JSON.stringify(evidence, null, 1)}\n`
}

/** The same as name,value lines, an empty line, and the table. */
export function evidenceCsv(evidence: Evidence): string {
  const { columns, rows } = evidence
  return tableCsv({ header: evidenceHeader(evidence), columns, rows })
}

function evidenceHeader(evidence: Evidence): Header {
  const { model, data, options, seeds, sentence } = evidence
  const named = (prefix: string, facts: Record<string, unknown>): Header =>
    Object.entries(facts).map(([name, value]): [string, string] => [
      `${prefix}_${name}`,
      String(value),
    ])
  return [
    ['experiment', evidence.experiment],
    ...(model ? named('model', model) : []),
    ...named('data', data),
    ['headwise', evidence.headwise],
    ['date', evidence.date],
    ...named('option', options),
    ...named('seed', seeds),
    ...named('sentence', sentence),
    ['link', evidence.link],
  ]
}
