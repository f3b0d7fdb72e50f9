import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mathmlOf } from './tex'

const chapters = ['look', 'parameters'].map((name) =>
  fileURLToPath(new URL(`../src/chapters/${name}/`, import.meta.url)),
)

describe('formulas', () => {
  it('become MathML without style attributes, which a strict policy would refuse', () => {
    const files = chapters.flatMap((folder) => readdirSync(folder).map((name) => folder + name))
    for (const file of files.filter((name) => name.endsWith('.tex'))) {
      const mathml = mathmlOf(readFileSync(file, 'utf8'), true)
      expect(mathml.startsWith('<math')).toBe(true)
      expect(mathml).not.toMatch(/\sstyle=|<span|href=/)
      expect(mathml).toContain('data-symbol="')
    }
  })

  it('refuse an address in place of a symbol', () => {
    expect(mathmlOf('\\href{https://example.org}{x}', false)).not.toContain('href=')
  })
})
