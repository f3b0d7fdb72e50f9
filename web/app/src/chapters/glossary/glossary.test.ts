import { describe, expect, it } from 'vitest'
import { roughWidth, type Mark } from '../../figures/scene'
import { paperIds, placeIds, termIds } from '../../state/glossaryView'
import { glossary as english } from './en'
import { findingsOf, places } from './findings'
import { glossary as korean } from './ko'
import { levelsScene } from './levelsScene'
import { paperSentence } from './paper'
import { placeFrames, placesScene } from './placesScene'
import { levelIds, matches, terms } from './terms'

describe('terms', () => {
  it('have two names of their own, and stand at a level', () => {
    for (const language of ['en', 'ko'] as const) {
      expect(new Set(termIds.map((id) => terms[id][language])).size).toBe(termIds.length)
    }
    for (const level of levelIds) {
      expect(termIds.some((id) => terms[id].level === level)).toBe(true)
    }
  })

  it('are found by either name, by meaning, and whatever the case and the spaces', () => {
    const find = (wanted: string) =>
      termIds.filter((id) => matches(id, english.terms.definitions[id], wanted))
    expect(find('')).toHaveLength(termIds.length)
    expect(find('멀티 헤드어텐션')).toEqual(['multi-head'])
    expect(find('MULTI-HEAD ATT')).toContain('multi-head')
    expect(find('predict the next')).toEqual(['causal-mask'])
    expect(find('zebra')).toEqual([])
  })

  it('are called as Korean readers know them', () => {
    const text = JSON.stringify(korean) + JSON.stringify(terms)
    expect(text).not.toMatch(/질의|다중 ?헤드|주의 메커니즘/)
  })
})

describe('sentences for a paper', () => {
  it.each(paperIds)('%s: name h, d_model and d_k in both languages', (id) => {
    for (const language of ['en', 'ko'] as const) {
      const text = paperSentence(id, language)
      for (const name of ['h = ', 'd_model = ', 'd_k = d_v = ']) expect(text).toContain(name)
      const [heads = 0, width = 1, size = 0] = ['h = ', 'd_model = ', 'd_v = '].map((name) =>
        Number(text.split(name)[1]?.match(/^\d+/)?.[0]),
      )
      expect(heads * size).toBe(width)
    }
  })
})

/** Right and lower ends of a scene's marks. */
function extent(marks: readonly Mark[]): { right: number; low: number } {
  const ends = marks.map((mark) => {
    if (mark.kind === 'rect') return [mark.x + mark.width, mark.y + mark.height]
    if (mark.kind === 'line') {
      return [Math.max(...mark.points.map(([x]) => x)), Math.max(...mark.points.map(([, y]) => y))]
    }
    if (mark.kind === 'image') return [0, 0]
    const wide = roughWidth(mark.text, mark.size)
    const share = mark.anchor === 'middle' ? 0.5 : mark.anchor === 'end' ? 0 : 1
    return [mark.x + wide * share, mark.y]
  })
  return {
    right: Math.max(...ends.map(([x = 0]) => x)),
    low: Math.max(...ends.map(([, y = 0]) => y)),
  }
}

describe('figures', () => {
  for (const [name, { levels, neighbours }] of Object.entries({ english, korean })) {
    it.each([320, 560, 860, 1120])(`${name}: everything is inside, %i px wide`, (width) => {
      const scenes = [
        levelsScene(levels, width, '', 'light'),
        placesScene(neighbours.names, 'gqa', width, '', 'dark'),
      ]
      for (const scene of scenes) {
        const { right, low } = extent(scene.marks)
        expect(right).toBeLessThanOrEqual(width + 1)
        expect(low).toBeLessThanOrEqual(scene.height)
      }
    })
  }

  it.each([320, 860])('neighbours have a box each, none on another, %i px wide', (width) => {
    const frames = placeFrames(width)
    expect(frames.map(({ id }) => id)).toEqual([...placeIds])
    for (const [place, a] of frames.entries()) {
      for (const b of frames.slice(place + 1)) {
        const apart =
          a.x + a.width <= b.x ||
          b.x + b.width <= a.x ||
          a.y + a.height <= b.y ||
          b.y + b.height <= a.y
        expect(apart, `${a.id} and ${b.id}`).toBe(true)
      }
    }
  })
})

describe('findings', () => {
  it('are read from the right cells', () => {
    const [layers, heads, size] = [6, 12, 12]
    const patterns = Array.from({ length: layers }, () =>
      new Float32Array(heads * size * size).fill(1 / size),
    )
    const set = (layer: number, head: number, query: number, key: number, weight: number) => {
      const pattern = patterns[layer]
      if (pattern) pattern[(head * size + query) * size + key] = weight
    }
    set(2, 3, places.it, places.was, 0.7)
    set(4, 5, places.it, places.sat, 0.25)
    for (let query = 0; query < size; query++) set(5, 11, query, places.cat, 0.4 + query / 100)
    const { verb, rest, noun } = findingsOf(patterns, heads, size)
    expect(verb).toEqual({
      own: { head: '2.3', weight: '0.700' },
      other: { head: '4.5', weight: '0.250' },
    })
    expect(rest).toEqual({ opening: '8%', closing: '8%' })
    expect(noun).toEqual({ pronoun: '0.480', least: '0.400', most: '0.510' })
  })
})
