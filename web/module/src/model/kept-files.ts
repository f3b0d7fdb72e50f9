// Downloads that are kept for later loads: in parts, each with its checksum, so that a part that was
// damaged is fetched anew and a file that came half goes on where it stopped.
import { joined, partBytes, sha256 } from './bytes.js'
import type { FileVersion } from './download.js'
import { openShelf, type Shelf } from './shelf.js'

/** What is known of a kept file, beside its parts. */
export interface KeptFile extends FileVersion {
  /** SHA-256 of the parts: each of `partBytes`, the last one of what remains. */
  parts: string[]
  isWhole: boolean
}

/** Takes a file as it comes. */
export interface PartWriter {
  push(chunk: Uint8Array): Promise<void>
  end(): Promise<void>
}

export class KeptFiles {
  #shelf: Promise<Shelf> | undefined

  constructor(
    name: string | undefined,
    private readonly warn: (message: string) => void,
  ) {
    this.#shelf = openShelf(name)
    // Told where it is used.
    this.#shelf.catch(() => undefined)
  }

  async about(url: string): Promise<KeptFile | undefined> {
    const text = await this.text(`${url}/about`)
    if (text === undefined) return undefined
    try {
      const about = JSON.parse(text) as KeptFile
      return Array.isArray(about.parts) ? about : undefined
    } catch {
      return undefined
    }
  }

  /** The parts in order, to the first that is missing or not as it was. */
  async *parts(url: string, parts: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const [index, sum] of parts.entries()) {
      const bytes = await this.#use((shelf) => shelf.get(`${url}/${index}`))
      if (bytes === undefined || (await sha256(bytes)) !== sum) return
      yield bytes
    }
  }

  /** Keeps a file of this version, of which these parts are there. */
  writer(url: string, version: FileVersion, parts: string[]): PartWriter {
    let chunks: Uint8Array[] = []
    let filled = 0
    const keep = async (isWhole: boolean) => {
      const bytes = joined(chunks)
      ;[chunks, filled] = [[], 0]
      await this.#use(async (shelf) => {
        const total = parts.length * partBytes + bytes.length
        const sum = bytes.length > 0 ? await sha256(bytes) : undefined
        if (sum !== undefined) await shelf.put(`${url}/${parts.length}`, bytes)
        if (sum !== undefined) parts.push(sum)
        const { size = isWhole ? total : undefined, validator } = version
        const about: KeptFile = { size, validator, parts, isWhole }
        await shelf.put(`${url}/about`, new TextEncoder().encode(JSON.stringify(about)))
      })
    }
    return {
      push: async (chunk) => {
        for (let rest = chunk; rest.length > 0;) {
          const taken = rest.subarray(0, partBytes - filled)
          // A copy: whoever got the chunk may do with it as he likes.
          chunks.push(taken.slice())
          filled += taken.length
          rest = rest.subarray(taken.length)
          if (filled === partBytes) await keep(false)
        }
      },
      end: () => keep(true),
    }
  }

  text(name: string): Promise<string | undefined> {
    return this.#use(async (shelf) => {
      const bytes = await shelf.get(name)
      return bytes && new TextDecoder().decode(bytes)
    })
  }

  async setText(name: string, text: string): Promise<void> {
    await this.#use((shelf) => shelf.put(name, new TextEncoder().encode(text)))
  }

  async forget(url: string): Promise<void> {
    await this.#use((shelf) => shelf.remove(`${url}/`))
  }

  /** Storage that is full or forbidden costs the keeping, not the load: told once. */
  async #use<T>(work: (shelf: Shelf) => Promise<T>): Promise<T | undefined> {
    const shelf = this.#shelf
    try {
      return shelf && (await work(await shelf))
    } catch (error) {
      if (this.#shelf !== undefined) {
        this.#shelf = undefined
        this.warn(
          `headwise: the model is not kept, and has to be fetched again the next time (${String(error)}).`,
        )
      }
      return undefined
    }
  }
}
