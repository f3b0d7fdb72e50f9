import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mathmlOf } from './tex'

const root = fileURLToPath(new URL('../src/chapters/', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => root + name)

describe('formulas', () => {
  it('become MathML without style attributes, which a strict policy would refuse', () => {
    for (const file of files.filter((name) => name.endsWith('.tex'))) {
      const mathml = mathmlOf(readFileSync(file, 'utf8'), true)
      expect(mathml.startsWith('<math')).toBe(true)
      expect(mathml).not.toMatch(/\sstyle=|<span|href=/)
      if (!file.endsWith('.inline.tex')) expect(mathml).toContain('data-symbol="')
    }
  })

  it('refuse an address in place of a symbol', () => {
    expect(mathmlOf('\\href{https://example.org}{x}', false)).not.toContain('href=')
  })
})
