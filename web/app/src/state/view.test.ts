import { describe, expect, it } from 'vitest'
import {
  clampToken,
  defaultView,
  followToken,
  formatAddress,
  misfits,
  parseAddress,
  type View,
} from './view'
import { followWhy } from './whyView'

const view: View = { ...defaultView, language: 'en' }

describe('the address', () => {
  it('restores every field of a view', () => {
    const full: View = {
      language: 'ko',
      chapter: 'look',
      model: 'minilm-l6',
      text: 'A & B = "c"? 100% #1\nétoile 고양이 😀 =+-@',
      pair: 'second, one',
      layer: 5,
      head: 11,
      token: 3,
      key: 0,
      sort: 'entropy',
      quantity: 'contribution',
      dim: true,
      gamma: 0.5,
      table: true,
      why: { map: 'head', first: 0, second: 9, raised: 2, by: -1.75 },
      steps: {
        layer: 'tiny',
        stage: 'values',
        part: 'key',
        whole: true,
        causal: true,
        cell: { matrix: 'weights', row: 2, column: 1 },
        tinyHead: 1,
        tinyToken: 0,
        edits: { x01: 3, q12: -1.5 },
      },
      scale: { headDim: 512, seed: 77, power: -0.25 },
      parameters: {
        width: 768,
        heads: 7,
        size: 64,
        kvHeads: 1,
        latent: true,
        bias: true,
        layers: 12,
        dropout: 0.05,
        ablation: {
          compared: '1, 3',
          optimiser: 'AdamW & friends',
          rate: '3e-4',
          tuned: 'each',
          budget: '100k steps',
          seeds: '5',
        },
      },
      variants: { latent: true, kvHeads: 4, rank: 96, context: 17 },
      subspaces: { space: 'key', compare: 'debiased', other: { layer: 0, head: 11 } },
      rank: {
        measure: 'bulk',
        pattern: 'own',
        length: 3,
        norm: -0.5,
        headDim: 3,
        seed: 12,
        drawn: '900090009',
      },
      roles: { bank: 'text', role: 'nmod:poss', upward: false, seed: 7 },
      headsOff: {
        off: [
          { layer: 0, head: 3 },
          { layer: 5, head: 11 },
        ],
        how: 'noise',
        ownPairs: true,
        seed: 12,
        run: ['importance', 'pruning'],
        greedy: true,
      },
      speed: {
        queryTile: 3,
        keyTile: 6,
        step: 0,
        causal: true,
        length: 1024,
        result: '1_20261130T0500_512_58613.46700.24100_simd.1.412.405.420.9',
      },
      cross: {
        layer: 2,
        head: 5,
        token: 3,
        step: 4,
        choices: [{ step: 2, id: 451 }],
        beams: 4,
        join: 'all',
        next: {
          prompt: 'It was',
          temperature: 1.25,
          topK: null,
          topP: 0.9,
          seed: 7,
          length: 12,
          cache: false,
          at: 3,
        },
      },
      glossary: { term: 'causal-mask', find: '마스크 & mask', place: 'flash', paper: 'cross' },
    }
    expect(parseAddress(formatAddress(full), 'en')).toEqual(full)
  })

  it('carries a text through a chapter that does not read it, and nothing that is default', () => {
    const plain: View = { ...view, chapter: 'parameters' }
    expect(formatAddress(plain)).toBe('#/en/parameters?width=512&heads=8')
    const typed: View = { ...plain, text: 'Hi there', token: 8 }
    expect(parseAddress(formatAddress(typed), 'en')).toEqual(typed)
  })

  it('takes the default for a shape that makes no sense', () => {
    const odd = '#/en/parameters?width=0&heads=1e3&size=-4&kv=99999&layers=x&dropout=1&tuned=no'
    expect(parseAddress(odd, 'en').parameters).toEqual(defaultView.parameters)
  })

  it('groups heads equally: the next smaller number of keys and values', () => {
    expect(parseAddress('#/en/parameters?heads=8&kv=3', 'en').parameters.kvHeads).toBe(2)
    expect(parseAddress('#/en/parameters?heads=8&kv=99', 'en').parameters.kvHeads).toBe(null)
    const moved = { ...view.parameters, heads: 6, kvHeads: 4 }
    expect(formatAddress({ ...view, parameters: moved })).toContain('kv=3')
  })

  it('takes the default for maps, keys and raises that make no sense', () => {
    for (const odd of [
      'map=all&first=-1&second=x&raise=2&by=99',
      'raise=2',
      'by=3',
      'raise=2&by=0',
    ]) {
      expect(parseAddress(`#/en/why?${odd}`, 'en').why).toEqual(defaultView.why)
    }
  })

  it('takes the default for heads and comparisons that make no sense', () => {
    const odd = '#/en/subspaces?space=value&compare=4&with=3'
    expect(parseAddress(odd, 'en').subspaces).toEqual(defaultView.subspaces)
  })

  it('takes the default for roles and seeds that make no sense', () => {
    const odd = '#/en/roles?on=disk&role=<b>&way=left&halves=-1'
    expect(parseAddress(odd, 'en').roles).toEqual(defaultView.roles)
  })

  it('reads heads that are off once and in order, and knows when none is', () => {
    const odd = '#/en/ablation?off=5.1_0.3_5.1_x_7&how=never&run=all_pruning&draw=1e3'
    const { off, how, run, seed } = parseAddress(odd, 'en').headsOff
    expect(off.map(({ layer, head }) => [layer, head])).toEqual([
      [0, 3],
      [5, 1],
    ])
    expect({ how, run, seed }).toEqual({ how: 'zero', run: ['pruning'], seed: 0 })
    const none = { ...view, chapter: 'ablation', headsOff: { ...view.headsOff, off: [] } } as const
    expect(parseAddress(formatAddress(none), 'en').headsOff.off).toEqual([])
  })

  it('takes the default for tiles and lengths that make no sense', () => {
    const odd = '#/en/speed?tileq=0&tilek=9999&step=-1&causal=yes&n=513&result=<script>'
    expect(parseAddress(odd, 'en').speed).toEqual(defaultView.speed)
  })

  it('knows only terms, neighbours and papers that there are', () => {
    const odd = '#/en/glossary?term=nothing&place=constructor&paper=9'
    expect(parseAddress(odd, 'en').glossary).toEqual(defaultView.glossary)
    expect(formatAddress(parseAddress(odd, 'en'))).toBe('#/en/glossary')
  })

  it('takes the default for choices of chapter 4 that make no sense', () => {
    for (const odd of ['#/en/scale?dk=3&seed=0&power=9', '#/en/scale?dk=&seed=1.5&power=0.1']) {
      expect(parseAddress(odd, 'en').scale).toEqual(defaultView.scale)
    }
  })

  it('opens the default view, in the preferred language, without an address', () => {
    for (const nothing of ['', '#', '#/']) {
      expect(parseAddress(nothing, 'ko')).toEqual({ ...defaultView, language: 'ko' })
    }
  })

  it('keeps an empty text empty', () => {
    const empty = parseAddress(formatAddress({ ...view, text: '', token: 0 }), 'en')
    expect(empty.text).toBe('')
  })

  it.each([
    '#/xx/nowhere?layer=-1&head=1e9&token=abc&key=&sort=constructor&quantity=1&gamma=7&dim=yes',
    '#/en/look?%E0%A4%A&model=../../secret',
    '#?#?##',
  ])('takes defaults for what makes no sense: %s', (address) => {
    const parsed = parseAddress(address, 'en')
    expect(parsed).toMatchObject({
      language: 'en',
      chapter: 'look',
      model: 'minilm-l6',
      layer: defaultView.layer,
      head: defaultView.head,
      token: defaultView.token,
      sort: 'place',
      quantity: 'weight',
      gamma: 1,
      dim: false,
    })
  })

  it('keeps everything that was typed behind the #', () => {
    expect(
      formatAddress({ ...view, text: 'my secret' }).startsWith('#/en/look?text=my+secret'),
    ).toBe(true)
  })

  it('cuts a text too long for a link, but not inside a character', () => {
    const text = parseAddress(formatAddress({ ...view, text: `x${'😀'.repeat(4000)}` }), 'en').text
    expect(text.length).toBeLessThanOrEqual(6000)
    expect(text.endsWith('😀')).toBe(true)
  })
})

describe('followToken', () => {
  const before = ['[CLS]', 'the', 'cat', 'saw', 'the', 'dog', '[SEP]']

  it('stays where the word is the same', () => {
    expect(followToken(before, 2, ['[CLS]', 'the', 'cat', 'ran', '[SEP]'])).toBe(2)
  })

  it('goes with its word, to the nearest of several', () => {
    const after = ['[CLS]', 'now', 'the', 'cat', 'saw', 'the', 'dog', '[SEP]']
    expect(followToken(before, 5, after)).toBe(6)
    expect(followToken(before, 4, after)).toBe(5)
  })

  it('stays in place when its word is gone, inside the text', () => {
    expect(followToken(before, 5, ['[CLS]', 'a', 'b', '[SEP]'])).toBe(2)
    expect(followToken(before, 5, ['[CLS]', '[SEP]'])).toBe(1)
  })

  it('starts in the middle of a first text', () => {
    expect(followToken([], 0, before)).toBe(3)
  })
})

describe('clampToken', () => {
  it('keeps an index that exists, and else the last word', () => {
    expect(clampToken(3, 7)).toBe(3)
    expect(clampToken(6, 7)).toBe(6)
    expect(clampToken(99, 7)).toBe(5)
    expect(clampToken(99, 2)).toBe(1)
    expect(clampToken(0, 1)).toBe(0)
  })
})

describe('misfits', () => {
  const shape = { layers: 6, heads: 12, tokens: 12, dModel: 384 }

  it('are none where everything exists', () => {
    expect(misfits({ ...view, layer: 5, head: 11, token: 11, key: 0 }, shape)).toEqual({})
    expect(misfits({ ...view, layer: 0, head: 0, token: 0, key: null }, shape)).toEqual({})
    const whole = { ...view.variants, kvHeads: null, rank: 384 }
    expect(misfits({ ...view, variants: whole }, shape)).toEqual({})
  })

  it('give way to the last layer, head and word, and to no chosen key', () => {
    expect(misfits({ ...view, layer: 99, head: 12, token: 9999, key: 12 }, shape)).toEqual({
      layer: 5,
      head: 11,
      token: 10,
      key: null,
    })
  })

  it('give way to keys that are found, and to no raised score', () => {
    const odd = parseAddress('#/en/why?map=mean&first=11&second=12&raise=99&by=2', 'en')
    expect(misfits(odd, shape)).toEqual({
      why: { map: 'mean', first: 11, second: null, raised: null, by: 0 },
    })
  })

  it('give way to heads that can be switched off', () => {
    const odd = parseAddress('#/en/ablation?off=3.1_6.0_2.12', 'en')
    const off = [{ layer: 3, head: 1 }]
    expect(misfits(odd, shape)).toEqual({ headsOff: { ...odd.headsOff, off } })
  })

  it('give way to a head that can be compared with, and to a variant that can be built', () => {
    const odd = parseAddress('#/en/subspaces?with=6.0&variant=gqa5&rank=8192', 'en')
    expect(misfits(odd, shape)).toEqual({
      subspaces: { ...odd.subspaces, other: null },
      variants: { ...odd.variants, kvHeads: 4, rank: 384 },
    })
  })
})

describe('keys of chapter 2', () => {
  it('stay on their words when the text changes', () => {
    const [before, after] = [
      ['[CLS]', 'a', 'cat', 'sat', '[SEP]'],
      ['[CLS]', 'now', 'a', 'cat', 'sat', '[SEP]'],
    ] as const
    const shown = { map: 'mean', first: 2, second: null, raised: 3, by: 1.5 } as const
    expect(followWhy(shown, (key) => followToken(before, key, after))).toEqual({
      ...shown,
      first: 3,
      raised: 4,
    })
  })
})
