// Cells of the tiny layer that the reader has changed, and their form in the address:
// `x01_3*q12_-1.5` is X[0, 1] = 3 and W_Q[1, 2] = -1.5. Pure.

/** The matrices that can be changed, by the letter that stands for them in the address. */
export const tinyMatrices = { x: 'X', q: 'W_Q', k: 'W_K', v: 'W_V', o: 'W_O' } as const
export type TinyMatrix = keyof typeof tinyMatrices
export const tinyMatrixIds = Object.keys(tinyMatrices) as TinyMatrix[]

/** 3 tokens, d_model 4, 2 heads of d_k 2. */
export const tinyShape = { tokens: 3, dModel: 4, heads: 2, headDim: 2 } as const

export type CellName = `${TinyMatrix}${number}${number}`
export type TinyEdits = Readonly<Partial<Record<CellName, number>>>

/** Beyond these a cell says nothing that could be checked by hand. */
export const largestCell = 99

export function rowsOf(matrix: TinyMatrix): number {
  return matrix === 'x' ? tinyShape.tokens : tinyShape.dModel
}

export function cellName(matrix: TinyMatrix, row: number, column: number): CellName {
  return `${matrix}${row}${column}`
}

/** A number as it may stand in a cell; null for what is none. */
export function cellValue(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.')
  if (!/^-?(\d{1,2}(\.\d{1,3})?|\.\d{1,3})$/.test(plain)) return null
  const value = Number(plain)
  return Math.abs(value) <= largestCell ? value + 0 : null
}

export function cellsFrom(text: string | null): TinyEdits {
  const edits: Partial<Record<CellName, number>> = {}
  for (const part of (text ?? '').split('*')) {
    const [, matrix = '', row = '', column = '', number = ''] =
      /^([xqkvo])([0-3])([0-3])_(.+)$/.exec(part) ?? []
    const value = cellValue(number)
    const known = tinyMatrixIds.find((id) => id === matrix)
    if (known === undefined || value === null || Number(row) >= rowsOf(known)) continue
    edits[cellName(known, Number(row), Number(column))] = value
  }
  return edits
}

export function cellsText(edits: TinyEdits): string {
  return Object.entries(edits)
    .map(([name, value]) => `${name}_${String(value)}`)
    .join('*')
}
