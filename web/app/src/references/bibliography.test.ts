import { describe, expect, it } from 'vitest'
import { authorsAndYear, bibliography, cite, fullReference, type Reference } from './bibliography'

const all: [string, Reference][] = Object.entries(bibliography)

describe('the bibliography', () => {
  it('is in the order of its names, each publication once', () => {
    const names = all.map(([id]) => id)
    expect(names).toEqual(names.toSorted())
    expect(new Set(all.map(([, { url }]) => url)).size).toBe(all.length)
    expect(new Set(all.map(([, { title }]) => title.toLowerCase())).size).toBe(all.length)
  })

  it.each(all)('%s: family names first, a year, a secure address', (_, reference) => {
    for (const name of reference.authors)
      expect(name).toMatch(/^(.+, \p{Lu}\.|DeepSeek-AI$|et al\.$)/u)
    expect(reference.year).toBeGreaterThan(1900)
    expect(reference.url).toMatch(/^https:\/\//)
    if (reference.short !== undefined) expect(reference.title).toContain(reference.short)
  })
})

describe('a citation', () => {
  it('names one, two, or the first of several authors', () => {
    expect(authorsAndYear(bibliography.shazeer)).toBe('Shazeer 2019')
    expect(authorsAndYear(bibliography.jain)).toBe('Jain and Wallace 2019')
    expect(authorsAndYear(bibliography.ainslie)).toBe('Ainslie et al. 2023')
  })

  it('is printed whole in the list', () => {
    expect(fullReference(bibliography.jain)).toBe(
      'Jain, S. and Wallace, B. C. (2019). Attention is not Explanation. NAACL-HLT 2019, 3543–3556.',
    )
    expect(fullReference(bibliography.shazeer)).toMatch(/^Shazeer, N\. \(2019\)\. Fast/)
    expect(fullReference(bibliography.brown)).toContain('Ryder, N. et al. (2020)')
  })

  it('has the short title where there is one', () => {
    expect(cite('wang', 'jain').map(({ citation }) => citation)).toEqual([
      'Wang et al. 2020, MiniLM',
      'Jain and Wallace 2019, Attention is not Explanation',
    ])
  })
})
