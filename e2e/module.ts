// The module itself in Chromium, unbundled, on a host of its own: what its tests share.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { expect, type Page } from '@playwright/test'

import { serve } from '../scripts/serve.mjs'

/** As much of a tensor as the tests' pages hand around. */
export interface Tensor {
  data: Float32Array
  dims: number[]
}

/** As much of the module as is called in the pages, of either entrance. */
export interface Runtime {
  info: { build: string; threads: number; memory: { used: number; reserved: number } }
  attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    options?: object,
  ): Promise<{ output: Tensor; weights?: Tensor }>
  createKeyValueCache(sizes: object): Promise<{ keys(): Promise<Tensor> }>
  loadModel(address: URL): Promise<{
    run(text: string): Promise<{ tokens: string[]; output: Tensor }>
  }>
  dispose(): void
}

/** What a page tells of a runtime, or of its failure. */
export interface Outcome {
  build: string
  threads: number
  /** 1 when the attention was right. */
  output: number
  warnings: string[]
  error: string
  code: string
}

/** A folder with the module as `module/`, the models, and an empty page; `remove` it afterwards. */
export function moduleFolder(files: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'headwise-'))
  cpSync('web/module/dist', path.join(folder, 'module'), { recursive: true })
  mkdirSync(path.join(folder, 'models'))
  symlinkSync(path.resolve('web/models/minilm-l6'), path.join(folder, 'models/minilm-l6'))
  const page = '<!doctype html><title>Headwise</title>'
  for (const [name, text] of Object.entries({ 'index.html': page, ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** Serves the folder, opens its page in it, and hands both to `work`. */
export async function onPage(
  page: Page,
  { folder, isolation }: { folder: string; isolation: boolean },
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = await serve({ folder, port: 0, isolation })
  try {
    await page.goto(server.url)
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolation)
    await work(server.url)
  } finally {
    await server.close()
  }
}

/** Makes a runtime from that file of the module, computes and disposes of it. */
export function compute(page: Page, file: string, options: object = {}): Promise<Outcome> {
  return page.evaluate(
    async ([address, given]) => {
      const outcome = { build: '', threads: 0, output: 0, error: '', code: '' }
      const warnings: string[] = []
      const { createRuntime } = (await import(`${location.origin}/${address}`)) as {
        createRuntime: (options: object) => Promise<Runtime>
      }
      const onWarning = (message: string) => warnings.push(message)
      try {
        const hw = await createRuntime({ ...given, onWarning })
        const one = { data: Float32Array.of(1), dims: [1, 1, 1, 1] }
        const { output } = await hw.attention(one, one, one)
        const { build, threads } = hw.info
        Object.assign(outcome, { build, threads, output: output.data[0] })
        hw.dispose()
      } catch (error) {
        const { code } = error as { code?: string }
        Object.assign(outcome, { error: String(error), code: code ?? '' })
      }
      return { ...outcome, warnings }
    },
    [file, options] as const,
  )
}
