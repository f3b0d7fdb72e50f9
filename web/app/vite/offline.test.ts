import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { filesForOffline } from './offline'

const site = mkdtempSync(join(tmpdir(), 'headwise-site-'))
afterAll(() => {
  rmSync(site, { recursive: true })
})

function put(name: string, content: string): void {
  mkdirSync(dirname(join(site, name)), { recursive: true })
  writeFileSync(join(site, name), content)
}

describe('what is kept for offline', () => {
  for (const name of [
    'index.html',
    'service-worker.js',
    'assets/open-DIr5Wrsm.js',
    'assets/headwise-simd-D_-nJiiY.wasm',
    'assets/index.js.map',
    'assets/plain.js',
    '.vite/manifest.json',
    'docs/index.html',
    'models/small/model.safetensors',
  ]) {
    put(name, name)
  }

  it('is the page and its models, not the service worker itself, documentation or maps', () => {
    const { pageFiles, modelFiles } = filesForOffline(site, 'service-worker.js')
    expect(pageFiles.map(({ url }) => url)).toEqual([
      'assets/headwise-simd-D_-nJiiY.wasm',
      'assets/open-DIr5Wrsm.js',
      'assets/plain.js',
      'index.html',
    ])
    expect(modelFiles.map(({ url }) => url)).toEqual(['models/small/model.safetensors'])
  })

  it('has a revision of the content where the name has none', () => {
    const revision = (name: string) =>
      filesForOffline(site, '').pageFiles.find(({ url }) => url === name)?.revision
    expect(revision('assets/open-DIr5Wrsm.js')).toBeNull()
    const before = revision('index.html')
    expect(before).toMatch(/^[0-9a-f]{16}$/)
    put('index.html', 'another')
    expect(revision('index.html')).not.toBe(before)
  })
})
