// Where models are, and how they are loaded.

/** Files that are already in memory. */
export interface ModelFiles {
  /** The content of config.json. */
  config: object
  /** The content of model.safetensors. */
  weights: ArrayBuffer | Uint8Array
  /** The content of tokenizer.json; a model of images has none. */
  tokenizer?: object
  /** The content of generation_config.json, of a model that generates; it may be left out. */
  generation?: object
}

/**
 * Where a model is:
 *
 * - `'owner/name'`, two names with one slash between them and nothing else: on the Hugging Face hub;
 * - any other text, or a `URL`: a folder. `'./owner/name'` and `'owner/name/'` are folders, relative
 *   to the page; in Node a text may be a path;
 * - the `files` of an `<input type=file>` (with `multiple`, or `webkitdirectory`), an array of `File`,
 *   or the handle that `showDirectoryPicker()` gives: the reader's own disk;
 * - `{ config, weights, tokenizer }`: memory.
 *
 * The files are config.json, tokenizer.json (but of a model of images), and model.safetensors or the
 * shards that model.safetensors.index.json names; of a model that generates generation_config.json
 * too, where it is there ({@link GenerationDefaults}). What a file names is looked for in its own folder only.
 */
export type ModelSource = string | URL | Iterable<File> | FileSystemDirectoryHandle | ModelFiles

/** How far a download has come. */
export interface Progress {
  file: string
  /** Bytes that have arrived. */
  loaded: number
  /** Bytes of the whole file; 0 while unknown. */
  total: number
  stage: 'config' | 'tokenizer' | 'first-rows' | 'weights'
  /** The same over all files of the model; `total` is 0 while the size of one is unknown. */
  overall: { loaded: number; total: number }
}

/** The hub, or a server with its paths: `{endpoint}/{owner}/{name}/resolve/{revision}/{file}`. */
export interface HubOptions {
  /** https://huggingface.co by default. */
  endpoint?: string | URL
  /** For models that are private or gated. Sent to the endpoint's origin only. */
  token?: string
  /** Asks in the place of the global `fetch`, on the calling thread. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface LoadModelOptions {
  /**
   * Aborts loading: the promise rejects at once with the signal's reason, and nothing is kept. From
   * `headwise` that holds for a tokenizer too whose patterns never end: the Worker that is still at
   * it a second later is ended, and what else lived in it is lost (`WORKER_LOST`).
   */
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /**
   * `'int8'` keeps int8 weights in one byte each, `'float32'` widens them. `'auto'` (the default)
   * follows the file.
   */
  dtype?: 'auto' | 'float32' | 'int8'
  /**
   * Resolve as soon as the configuration, the tokenizer and the small file of first embedding rows
   * are there (when the model has one); the rest goes on arriving. `model.loaded` tells how far it
   * is, and `run` waits for what it needs.
   */
  streaming?: boolean
  /** Called with `model.loaded` whenever it changes. */
  onLoaded?: (loaded: LoadedParts) => void
  /** Of a model of the hub: a branch, a tag or a commit; `'main'` by default. */
  revision?: string
  /** Where the hub is and how it is asked. */
  hub?: HubOptions
  /**
   * Whether downloads are kept, so that a later load needs no network: true by default for models of
   * the hub, false for folders, whose own host, and the page's service worker, know best. A text
   * names the place: in browsers a `Cache` (`'headwise'` by default; `caches.delete` empties it), in
   * Node a folder (by default `headwise` in the user's folder for caches). Kept files carry checksums
   * and are fetched anew where they are damaged; a hub's files are kept under their commit, others
   * under their ETag or date. Where storage is full or forbidden, `onWarning` is told once.
   */
  cache?: boolean | string
}

/** What of a model has arrived. */
export interface LoadedParts {
  /** Leading blocks that can run. */
  blocks: number
  /** Leading blocks whose attention pattern can be had (with `output: false`). */
  patterns: number
  /** Whether every word's embedding row is there, not only those of the first file. */
  vocabulary: boolean
  complete: boolean
}
