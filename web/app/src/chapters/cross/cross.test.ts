import type { Candidate } from 'headwise'
import { describe, expect, it } from 'vitest'
import { palettes } from '../../figures/colour'
import { plain } from '../../i18n/inline'
import { choose, defaultCross, parseCross, writeCross } from '../../state/crossView'
import {
  agreement,
  align,
  crossings,
  meanOf,
  mergePieces,
  votesOf,
  wordsOf,
  type Join,
  type Weights,
} from './alignment'
import { alignScene } from './alignScene'
import { meanTime, timesChart } from './charts'
import { decodeGreedy, idsOf, searchBeams, takenOf, type Next, type Step } from './decoding'
import { cross as english } from './en'
import { cross as korean } from './ko'
import { largestColumn, mapTable, rowOf } from './maps'
import { originsScene } from './originsScene'
import { byteText, isSpecialPiece, labelOf, textOf } from '../../figures/pieces'
import { places } from './translator'

const map = (rows: number, columns: number, ...values: number[]): Weights => ({
  values: Float32Array.from(values),
  rows,
  columns,
})

describe('pieces', () => {
  it('are words where the vocabulary marks them, punctuation apart', () => {
    const pieces = ['▁Le', '▁chat', 's', '▁l', "'", 'homme', '.', '</s>']
    const words = wordsOf(pieces, isSpecialPiece)
    expect(words.labels).toEqual(['Le', 'chats', 'l', "'", 'homme', '.', '</s>'])
    expect(words.of).toEqual([0, 1, 1, 2, 3, 4, 5, 6])
    expect([...words.special]).toEqual([6])
    expect(wordsOf(["▁l'", 'homme'], isSpecialPiece).labels).toEqual(["l'", 'homme'])
    expect(wordsOf(['▁', 'Zoé'], isSpecialPiece)).toEqual({
      of: [0, 0],
      labels: ['Zoé'],
      special: new Set(),
    })
    expect(wordsOf(['▁Où', '▁', '?', '</s>'], isSpecialPiece).labels).toEqual(['Où', '?', '</s>'])
    expect(textOf(pieces)).toBe("Le chats l'homme.")
  })

  it('are shown without the mark, bytes as the text they make', () => {
    expect(['▁chat', '▁', '</s>'].map(labelOf)).toEqual(['chat', '▁', '</s>'])
    expect(isSpecialPiece('<unk>')).toBe(false)
    expect(byteText('Ġthe')).toBe('␣the')
    expect(byteText('Ċ')).toBe('⏎')
    expect(byteText('Ã©t')).toBe('ét')
    expect(byteText('Ã')).toBe('\ufffd')
    expect(byteText('</s>')).toBe('</s>')
    expect(byteText('语')).toBe('语')
  })
})

describe('the alignment', () => {
  const queries = wordsOf(['▁chat', 's', '▁noir', '</s>'], isSpecialPiece)
  const keys = wordsOf(['▁black', '▁cat', 's', '</s>'], isSpecialPiece)
  const pieces = map(
    4,
    4,
    ...[0.1, 0.2, 0.3, 0.4],
    ...[0.3, 0.1, 0.5, 0.1],
    ...[0.25, 0.125, 0.125, 0.5],
    ...[0, 0, 0, 1],
  )

  it('sums the weight on the pieces of a word, and averages that from them', () => {
    const words = mergePieces(pieces, queries, keys)
    expect([words.rows, words.columns]).toEqual([3, 3])
    const expected = [0.2, 0.55, 0.25, 0.25, 0.25, 0.5, 0, 0, 1]
    for (const [place, value] of expected.entries()) {
      expect(words.values[place]).toBeCloseTo(value, 6)
    }
    for (let row = 0; row < 3; row++) {
      expect(rowOf(words, row).reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 6)
    }
  })

  it('joins words to words: the largest weight, the first of equals, no special token', () => {
    const joins = align(mergePieces(pieces, queries, keys), queries, keys)
    expect(joins.map(({ row, column }) => [row, column])).toEqual([
      [0, 1],
      [1, 0],
    ])
    expect(joins[0]?.weight).toBeCloseTo(0.55, 6)
    const nothing = wordsOf(['</s>'], isSpecialPiece)
    expect(align(map(2, 1, 1, 1), queries, nothing)).toEqual([])
  })

  it('counts crossings, votes and what two heads have in common', () => {
    const join = (row: number, column: number): Join => ({ row, column, weight: 1 })
    const one = [join(0, 0), join(1, 2), join(2, 1)]
    const other = [join(0, 0), join(1, 1), join(2, 1)]
    expect(crossings(one)).toBe(1)
    expect(crossings(other)).toBe(0)
    expect(agreement(one, other)).toBeCloseTo(2 / 3, 12)
    expect(agreement(one, [])).toBeNaN()
    const votes = votesOf([one, other], 3)
    expect(Array.from(votes.get(1) ?? [])).toEqual([0, 1, 1])
    expect(Array.from(votes.get(2) ?? [])).toEqual([0, 2, 0])
  })

  it('is of the mean of several heads', () => {
    const mean = meanOf([map(1, 2, 1, 0), map(1, 2, 0.5, 0.5)])
    expect(Array.from(mean.values)).toEqual([0.75, 0.25])
    expect(() => meanOf([])).toThrow('meanOf')
  })

  it('is drawn with a line for every join, the looked-at word in its colour', () => {
    const scene = alignScene(
      {
        source: keys.labels,
        written: queries.labels,
        joins: align(mergePieces(pieces, queries, keys), queries, keys),
        special: { source: keys.special, written: queries.special },
        chosen: 0,
        columns: ['English', 'French'],
        print: (weight) => weight.toFixed(2),
        title: 'joined',
      },
      400,
      'light',
    )
    const lines = scene.marks.filter((mark) => mark.kind === 'line')
    expect(lines).toHaveLength(2)
    expect(lines.filter(({ stroke }) => stroke === palettes.light.query)).toHaveLength(1)
    const texts = scene.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    expect(texts).toEqual(expect.arrayContaining(['cats', 'noir', '0.55']))
    expect(scene.width).toBeLessThanOrEqual(400)
  })
})

/** A model of three tokens, 0 the end: what it gives depends on the last id only. */
const table: Record<number, readonly number[]> = {
  9: [0.1, 0.5, 0.4],
  1: [0.35, 0.33, 0.32],
  2: [0.9, 0.06, 0.04],
}
const next: Next = (ids) => {
  const chances = table[ids.at(-1) ?? 9] ?? []
  const all = chances.map((probability, id): Candidate => ({
    id,
    token: `▁t${String(id)}`,
    probability,
    drawn: 0,
  }))
  return Promise.resolve(all.sort((a, b) => b.probability - a.probability))
}
const ends = { start: [9], end: [0], most: 6 }
const { signal } = new AbortController()
const ignore = (): void => undefined

/** Every text that ends within so many tokens, with its mean log-probability. */
function everyText(most: number): { ids: number[]; score: number }[] {
  const grow = (ids: number[], sum: number): { ids: number[]; score: number }[] => {
    if (ids.at(-1) === 0) return [{ ids, score: sum / ids.length }]
    if (ids.length === most) return []
    const chances = table[ids.at(-1) ?? 9] ?? []
    return chances.flatMap((chance, id) => grow([...ids, id], sum + Math.log(chance)))
  }
  return grow([], 0)
}

describe('decoding', () => {
  it('takes the likeliest token until the end, and shows each step', async () => {
    const shown: number[][] = []
    const steps = await decodeGreedy(next, ends, [], signal, (before) => {
      shown.push(idsOf(before))
    })
    expect(idsOf(steps)).toEqual([1, 0])
    expect(shown).toEqual([[1], [1, 0]])
  })

  it('goes on behind a choice; a token that cannot be chosen is no choice', async () => {
    const choices = [{ step: 0, id: 2 }]
    const steps = await decodeGreedy(next, ends, choices, signal, ignore)
    expect(idsOf(steps)).toEqual([2, 0])
    expect(steps[0]?.taken).toBe(1)
    const odd = [
      { step: 0, id: 77 },
      { step: 40, id: 1 },
    ]
    expect(idsOf(await decodeGreedy(next, ends, odd, signal, ignore))).toEqual([1, 0])
  })

  it('stops after as many steps as may be', async () => {
    const choices = Array.from({ length: 9 }, (_, step) => ({ step, id: 1 }))
    const steps = await decodeGreedy(next, ends, choices, signal, ignore)
    expect(idsOf(steps)).toEqual([1, 1, 1, 1, 1, 1])
    expect(() => takenOf({ candidates: [], taken: 0 })).toThrow('step')
  })

  it('a wide search finds the best of all texts, which greedy decoding misses', async () => {
    const [best] = everyText(ends.most).sort((a, b) => b.score - a.score)
    const found = await searchBeams(next, ends, 4, [], signal)
    expect(idsOf(found[0]?.steps ?? [])).toEqual(best?.ids)
    expect(found[0]?.score).toBeCloseTo(best?.score ?? NaN, 12)
    expect(best?.ids).toEqual([2, 0])
    expect(found).toHaveLength(4)
    const scores = found.filter(({ finished }) => finished).map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  it('one beam is greedy decoding; what stands before the search stays', async () => {
    const [one] = await searchBeams(next, ends, 1, [], signal)
    expect(idsOf(one?.steps ?? [])).toEqual([1, 0])
    const candidates = await next([9], signal)
    const prefix: Step[] = [{ candidates, taken: 0 }]
    const behind = await searchBeams(next, ends, 4, prefix, signal)
    expect(behind.every(({ steps }) => idsOf(steps)[0] === 1)).toBe(true)
    const whole: Step[] = [{ candidates, taken: 2 }]
    const over = await searchBeams(next, ends, 4, whole, signal)
    expect(over.map(({ steps, finished }) => [idsOf(steps), finished])).toEqual([[[0], true]])
  })
})

describe('the view in the address', () => {
  it('comes back as it was, and forgives nonsense', () => {
    const next = {
      prompt: 'It was',
      temperature: 1.25,
      topK: null,
      topP: 0.9,
      seed: 7,
      length: 12,
      cache: false,
      at: 3,
    }
    const choices = [
      { step: 2, id: 451 },
      { step: 5, id: 89 },
    ]
    const view = {
      layer: 2,
      head: 5,
      token: 3,
      step: 4,
      choices,
      beams: 4,
      join: 'all',
      next,
    } as const
    const query = new URLSearchParams()
    writeCross(view, true, query)
    expect(parseCross(new URLSearchParams(query.toString()))).toEqual(view)
    const plainQuery = new URLSearchParams()
    writeCross(defaultCross, false, plainQuery)
    expect(plainQuery.toString()).toBe('')
    const nonsense =
      'tlayer=-1&thead=x&take=a.b_3&beams=9&join=q&heat=99&topk=0&topp=2&dice=0&write=0'
    expect(parseCross(new URLSearchParams(nonsense))).toEqual(defaultCross)
  })

  it('a new choice undoes those behind it', () => {
    const choices = [
      { step: 1, id: 5 },
      { step: 3, id: 6 },
    ]
    expect(choose(choices, { step: 2, id: 7 })).toEqual([
      { step: 1, id: 5 },
      { step: 2, id: 7 },
    ])
    expect(choose(choices, { step: 1, id: 8 })).toEqual([{ step: 1, id: 8 }])
  })
})

describe('figures and files', () => {
  it('a map has its largest key and all its pairs', () => {
    const weights = map(2, 3, 0.2, 0.5, 0.3, 0.4, 0.4, 0.2)
    expect([0, 1].map((row) => largestColumn(weights, row))).toEqual([1, 0])
    const { rows } = mapTable([], weights, ['a', 'b'], ['x', 'y', 'z'])
    expect(rows).toHaveLength(6)
    expect(rows[5]).toEqual([1, 'b', 2, 'z', weights.values[5]])
    expect(mapTable([], null, [], []).rows).toEqual([])
  })

  it('three calls are drawn side by side or one under the other', () => {
    const words = { ...english.origins, names: english.maps.names }
    const sizes = { source: 7, written: 3 }
    const wide = originsScene(places, sizes, words, 800, 'light')
    const narrow = originsScene(places, sizes, words, 320, 'dark')
    expect(wide.width).toBeLessThanOrEqual(800)
    expect(narrow.width).toBeLessThanOrEqual(320)
    expect(narrow.height).toBeGreaterThan(2 * wide.height)
    const texts = wide.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    for (const shape of ['7 × 7 weights', '3 × 3 weights', '3 × 7 weights']) {
      expect(texts).toContain(shape)
    }
  })

  it('times are drawn where there are some, their mean without the first token', () => {
    const words = english.next.times
    expect(timesChart({ kept: [9, 1, 2], anew: [] }, 3, words).series).toHaveLength(1)
    expect(timesChart({ kept: [9], anew: [] }, 32, words).x).toMatchObject({ from: 1, to: 32 })
    const { series } = timesChart({ kept: [9, 1, 2], anew: [9, 4, 6] }, 3, words)
    expect(series[1]?.points[2]).toEqual({ x: 3, y: 6 })
    expect([meanTime([9, 1, 2]), meanTime([9]), meanTime([])]).toEqual(['1.5', '', ''])
  })
})

describe('the two catalogues', () => {
  it('refer to the same parts of the figures, and name what was computed', () => {
    const facts = {
      step: '2',
      read: 'Le',
      written: 'chat',
      head: '1.0',
      english: 'cat',
      share: '83%',
      before: '2',
    }
    const partsOf = ({ answer, same, translation }: typeof english) =>
      [answer(facts), same(), translation()].map((inlines) =>
        inlines
          .flatMap((each) => (typeof each !== 'string' && each.kind === 'part' ? [each.part] : []))
          .toSorted(),
      )
    expect(partsOf(korean)).toEqual(partsOf(english))
    for (const words of [english, korean]) {
      expect(plain(words.answer(facts))).toMatch(/Le.*chat.*cat.*83%/s)
    }
    const dispute = { disputed: 1, words: 4, french: 'noir', votes: 'black (20), cat (4)' }
    for (const words of [english, korean]) {
      const said = plain(words.alignment.disagree(dispute, 24))
      expect(said).toMatch(/noir.*black \(20\), cat \(4\)/)
      expect(plain(words.alignment.disagree(null, 24))).toContain('24')
    }
  })
})
