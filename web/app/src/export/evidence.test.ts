import { describe, expect, it } from 'vitest'
import { evidenceCsv, evidenceJson, sha256, type Evidence } from './evidence'

const evidence: Evidence = {
  experiment: 'scores-rank',
  model: { name: 'm (int8)', sha256: 'aa' },
  data: { kind: 'text', name: '=HYPERLINK("x")', sha256: 'bb' },
  headwise: '0.1.0 (simd)',
  date: '2026-11-30',
  options: { tolerance: 1e-5, halves: true },
  seeds: { bootstrap: 610 },
  sentence: { en: '@rank, "measured"', ko: '랭크를 쟀다' },
  link: 'http://localhost/#/en/rank',
  columns: ['head', 'rank'],
  rows: [
    ['3.1', 32],
    ['-cmd', NaN],
  ],
}

describe('evidence', () => {
  it('is read again from JSON as it was, with null for what was not measured', () => {
    expect(JSON.parse(evidenceJson(evidence))).toEqual({
      ...evidence,
      rows: [
        ['3.1', 32],
        ['-cmd', null],
      ],
    })
  })

  it('has the same in CSV, where nothing is run as a formula', () => {
    const lines = evidenceCsv(evidence).split('\r\n')
    expect(lines).toContain('model_sha256,aa')
    expect(lines).toContain('data_name,"\'=HYPERLINK(""x"")"')
    expect(lines).toContain('option_halves,true')
    expect(lines).toContain('seed_bootstrap,610')
    expect(lines).toContain('sentence_en,"\'@rank, ""measured"""')
    expect(lines.slice(lines.indexOf(''))).toEqual(['', 'head,rank', '3.1,32', "'-cmd,", ''])
    expect(evidenceCsv({ ...evidence, model: null })).not.toContain('model')
  })

  it('hashes text as UTF-8, and bytes as they are', async () => {
    const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(await sha256('abc')).toBe(known)
    expect(await sha256(Uint8Array.of(0x61, 0x62, 0x63))).toBe(known)
  })
})
