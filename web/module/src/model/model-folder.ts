// What every source of a model is to those who read it: a folder of files by their names.
import { HeadwiseError } from '../errors.js'

export interface OpenedFile {
  /** Undefined while unknown. */
  size: number | undefined
  /** In order. */
  chunks: AsyncIterable<Uint8Array>
}

export interface ModelFolder {
  /** @throws MissingFile */
  open(name: string, signal: AbortSignal): Promise<OpenedFile>
  /** To be called when loading has ended, with what ended it before its time. */
  close?(error?: unknown): Promise<void>
}

export function networkError(file: string, received: string, cause?: unknown): HeadwiseError {
  return new HeadwiseError(
    { code: 'NETWORK', argument: file, expected: 'a file of the model', received },
    cause === undefined ? undefined : { cause },
  )
}

/** A file that is not there, where another might do. */
export class MissingFile extends HeadwiseError {
  constructor(file: string, received: string, cause?: unknown) {
    const { argument, code, expected } = networkError(file, received)
    super({ code, argument, expected, received }, cause === undefined ? undefined : { cause })
  }
}
