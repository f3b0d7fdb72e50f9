// The texts that a release changes.
import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { contentSecurityPolicy } from '../../scripts/serve.mjs'
import {
  checkVersion,
  unreleased,
  withRelease,
  withVersion,
} from '../../scripts/lib/release-texts.mjs'

test.each([
  ['0.2.0', '0.1.0'],
  ['0.1.1', '0.1.0'],
  ['1.0.0', '0.9.9'],
  ['0.10.0', '0.9.0'],
])('%s comes after %s', (version, before) => {
  expect(() => checkVersion(version, before)).not.toThrow()
})

test.each([
  ['0.1.0', '0.1.0'],
  ['0.0.9', '0.1.0'],
  ['0.9.9', '0.10.0'],
  ['v0.2.0', '0.1.0'],
  ['0.2', '0.1.0'],
  [undefined, '0.1.0'],
])('%s does not', (version, before) => {
  expect(() => checkVersion(version, before)).toThrow()
})

test('every file that tells the version can be told another', () => {
  const files = ['package.json', 'web/module/package.json', 'web/app/package.json']
  for (const name of files) {
    const text = withVersion(readFileSync(name, 'utf8'), '9.8.7')
    expect((JSON.parse(text) as { version: string }).version).toBe('9.8.7')
  }
  const source = readFileSync('web/module/src/version.ts', 'utf8')
  expect(withVersion(source, '9.8.7')).toContain("version = '9.8.7'")
  expect(() => withVersion('{}', '9.8.7')).toThrow()
})

test('what is unreleased goes under the version, once', () => {
  const before = '# Changelog\n\n## Unreleased\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n\n- Older.\n'
  expect(unreleased(before)).toBe('- A thing.')
  const after = withRelease(before, '0.2.0', '2026-02-03')
  expect(after).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n\n- Older.\n',
  )
  expect(() => withRelease(after, '0.3.0', '2026-02-04')).toThrow('Unreleased')
})

test('our own changelog is as the script knows it', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8')
  expect(unreleased(text)).not.toBe('')
  expect(withRelease(text, '9.8.7', '2026-02-03')).toContain('## 9.8.7 - 2026-02-03')
})

test.each(['_headers', 'nginx.conf'])('the sample %s sends what the tests are run with', (name) => {
  const sample = readFileSync(`web/hosting/${name}`, 'utf8')
  expect(sample).toContain(contentSecurityPolicy)
  expect(sample).toMatch(/Cross-Origin-Opener-Policy:? same-origin/)
  expect(sample).toMatch(/Cross-Origin-Embedder-Policy:? require-corp/)
})
