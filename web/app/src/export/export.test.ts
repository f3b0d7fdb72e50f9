import { describe, expect, it } from 'vitest'
import { fileName } from './save'
import { escapeXml, sceneSvg } from './svg'
import { csvCell, tableCsv, tableJson, type DataTable } from './table'

describe('CSV', () => {
  it.each(['=1+1', '+1', '-cmd', '@sum', '＝1+1', '＠sum', '\tx', '\rx', '\nx'])(
    'makes %j harmless',
    (text) => {
      expect(csvCell(text).replace(/^"/, '').startsWith("'")).toBe(true)
    },
  )

  it('quotes what would break a line, and leaves numbers alone', () => {
    expect(csvCell('a,"b"\nc')).toBe('"a,""b""\nc"')
    expect(csvCell(-0.25)).toBe('-0.25')
    expect(csvCell(NaN)).toBe('')
  })

  const table: DataTable = {
    header: [
      ['model', 'm'],
      ['text', '=danger, "quoted"'],
    ],
    columns: ['query', 'weight'],
    rows: [
      ['cat', 0.1],
      ['-', NaN],
    ],
  }

  it('begins with what the numbers are of', () => {
    expect(tableCsv(table)).toBe(
      'model,m\r\ntext,"\'=danger, ""quoted"""\r\n\r\nquery,weight\r\ncat,0.1\r\n\'-,\r\n',
    )
  })

  it('JSON has the same, with null for what is not there', () => {
    expect(JSON.parse(tableJson(table))).toEqual({
      model: 'm',
      text: '=danger, "quoted"',
      columns: ['query', 'weight'],
      rows: [
        ['cat', 0.1],
        ['-', null],
      ],
    })
  })
})

describe('SVG', () => {
  it('escapes what the reader typed', () => {
    const svg = sceneSvg(
      {
        width: 10,
        height: 10,
        background: '#fff',
        title: '<script>',
        marks: [
          {
            kind: 'text',
            x: 0,
            y: 0,
            text: '</text><script>alert(1)</script>&\u0000',
            size: 9,
            fill: '#000',
          },
          { kind: 'rect', x: 1.23456, y: 0, width: 2, height: 2, fill: '"><script>' },
        ],
      },
      [['text', '</metadata><script>']],
    )
    expect(svg).not.toContain('<script>')
    expect(svg).toContain('&lt;script&gt;')
    expect(svg).toContain('x="1.23"')
    expect(svg).not.toContain('\u0000')
  })

  it('shows through by fill and stroke, as a canvas does, and needs no surface for it', () => {
    const svg = sceneSvg(
      {
        width: 10,
        height: 10,
        background: '#fff',
        title: '',
        marks: [
          { kind: 'rect', x: 0, y: 0, width: 2, height: 2, fill: '#123', opacity: 0.5 },
          {
            kind: 'rect',
            x: 0,
            y: 0,
            width: 2,
            height: 2,
            fill: 'none',
            stroke: '#123',
            opacity: 0.25,
          },
          { kind: 'text', x: 0, y: 0, text: 'a', size: 9, fill: '#123', opacity: 0.75 },
        ],
      },
      [],
    )
    expect(svg).toMatch(/<rect[^>]* fill="#123" fill-opacity="0.5"\/>/)
    expect(svg).toMatch(
      /<rect[^>]* fill="none" stroke="#123" fill-opacity="0.25" stroke-opacity="0.25"\/>/,
    )
    expect(svg).toMatch(/<text[^>]* fill-opacity="0.75"/)
    expect(svg).not.toMatch(/ opacity=/)
  })

  it('leaves other scripts as they are', () => {
    expect(escapeXml('고양이 😀 é')).toBe('고양이 😀 é')
    expect(escapeXml('\uD800')).toBe('\uFFFD')
  })
})

describe('fileName', () => {
  it('keeps letters of any script and nothing a file system minds', () => {
    expect(fileName('3.1', 'The cat: "sat"/on\\the mat', 'csv')).toBe(
      'headwise-3.1-the-cat-sat-on-the.csv',
    )
    expect(fileName('heads', '고양이가 앉았다', 'svg')).toBe('headwise-heads-고양이가-앉았다.svg')
    expect(fileName('heads', '', 'png')).toBe('headwise-heads.png')
  })
})
