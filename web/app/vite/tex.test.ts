import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mathmlOf } from './tex'

const chapter = fileURLToPath(new URL('../src/chapters/look/', import.meta.url))

describe('formulas', () => {
  it('become MathML without style attributes, which a strict policy would refuse', () => {
    for (const file of readdirSync(chapter).filter((name) => name.endsWith('.tex'))) {
      const mathml = mathmlOf(readFileSync(chapter + file, 'utf8'), true)
      expect(mathml.startsWith('<math')).toBe(true)
      expect(mathml).not.toMatch(/style=|<span|href=/)
      expect(mathml).toContain('data-symbol="')
    }
  })

  it('refuse an address in place of a symbol', () => {
    expect(mathmlOf('\\href{https://example.org}{x}', false)).not.toContain('href=')
  })
})
