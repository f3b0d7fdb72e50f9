// A map as pixels, for the small maps of the grid and for long texts. Where a pixel stands for
// several cells it takes the largest, so that a diagonal or a stripe stays visible. Pure.
import { rampStep, signedStep, type Ramp } from './colour'

export interface RasterSource {
  /** [S, S] */
  values: Float32Array
  size: number
  /** Value that has the last colour of the ramp. */
  top: number
  gamma: number
  /** Rows and columns that are shown, in order; all of them when left out. */
  rows?: readonly number[]
  columns?: readonly number[]
}

/** Cells [first, last) that the pixel `place` of `pixels` stands for. */
function cellsOf(place: number, pixels: number, cells: number): [number, number] {
  const first = Math.floor((place * cells) / pixels)
  return [first, Math.max(first + 1, Math.floor(((place + 1) * cells) / pixels))]
}

/** Colours of a width x height picture of the map, packed as ImageData wants them. */
export function rasterise(
  source: RasterSource,
  ramp: Ramp,
  width: number,
  height: number,
): Uint32Array {
  const { values, size, top, gamma } = source
  const rows = source.rows ?? everything(size)
  const columns = source.columns ?? everything(size)
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y++) {
    const [firstRow, lastRow] = cellsOf(y, height, rows.length)
    for (let x = 0; x < width; x++) {
      const [firstColumn, lastColumn] = cellsOf(x, width, columns.length)
      let largest = 0
      for (let row = firstRow; row < lastRow; row++) {
        const start = (rows[row] ?? 0) * size
        for (let column = firstColumn; column < lastColumn; column++) {
          largest = Math.max(largest, values[start + (columns[column] ?? 0)] ?? 0)
        }
      }
      pixels[y * width + x] = ramp.packed[rampStep(largest / top, gamma)] ?? 0
    }
  }
  return pixels
}

/** A matrix of any shape, by row and column. */
export interface SignedSource {
  rows: number
  columns: number
  at: (row: number, column: number) => number
  /** Magnitude that has the full colour. */
  top: number
}

/**
 * The same for signed numbers: a pixel takes the cell with the largest magnitude. What is not
 * finite has the packed colour `hidden`.
 */
export function rasteriseSigned(
  { rows, columns, at, top }: SignedSource,
  ramp: Ramp,
  width: number,
  height: number,
  hidden: number,
): Uint32Array {
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y++) {
    const [firstRow, lastRow] = cellsOf(y, height, rows)
    for (let x = 0; x < width; x++) {
      const [firstColumn, lastColumn] = cellsOf(x, width, columns)
      let strongest = NaN
      for (let row = firstRow; row < lastRow; row++) {
        for (let column = firstColumn; column < lastColumn; column++) {
          const value = at(row, column)
          if (!Number.isFinite(value)) continue
          if (!(Math.abs(value) <= Math.abs(strongest))) strongest = value
        }
      }
      const step = signedStep(top > 0 ? strongest / top : 0)
      pixels[y * width + x] = Number.isNaN(strongest) ? hidden : (ramp.packed[step] ?? 0)
    }
  }
  return pixels
}

function everything(size: number): number[] {
  return Array.from({ length: size }, (_, place) => place)
}

/** The same pixels as ImageData takes them. */
export function imageDataOf(pixels: Uint32Array, width: number, height: number): ImageData {
  const bytes = new Uint8ClampedArray(pixels.length * 4)
  new Uint32Array(bytes.buffer).set(pixels)
  return new ImageData(bytes, width, height)
}
