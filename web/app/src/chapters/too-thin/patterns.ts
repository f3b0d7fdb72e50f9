// Patterns of attention that a head is to be fitted to: made ones, and the reader's own drawing. Rows
// are queries, and sum to 1. Pure; matrices are row-major.
import { Random } from '../../figures/random'
import type { PatternId } from '../../state/rankView'

export interface PatternChoice {
  pattern: PatternId
  length: number
  seed: number
  drawn: string
}

/** Levels of a drawn cell: 0 is nothing, 9 the most. */
export const mostLevel = 9

/** [length, length] */
export function patternOf({ pattern, length, seed, drawn }: PatternChoice): Float32Array {
  const weights = Float64Array.from({ length: length * length }, () => 0)
  const each = (weight: (row: number, column: number) => number): Float32Array => {
    weights.forEach((_, cell) => {
      weights[cell] = weight(Math.floor(cell / length), cell % length)
    })
    return inRows(weights, length)
  }
  const random = new Random(seed)
  switch (pattern) {
    case 'random':
      // Shares of 1, all of them equally likely.
      return each(() => -Math.log(1 - random.uniform()))
    case 'shift':
      return each((row, column) => Number(column === (row + 1) % length))
    case 'permutation': {
      const order = shuffled(length, random)
      return each((row, column) => Number(order[row] === column))
    }
    case 'diagonal':
      return each((row, column) => Number(row === column))
    case 'blocks': {
      const blocks = blockCount(length)
      const blockOf = (place: number): number => Math.floor((place * blocks) / length)
      return each((row, column) => Number(blockOf(row) === blockOf(column)))
    }
    case 'uniform':
      return each(() => 1)
    case 'own':
      return each((row, column) => Number(drawn[row * length + column] ?? 0))
  }
}

/** Neighbouring tokens that attend to each other: four blocks, or fewer where there is no room. */
export const blockCount = (length: number): number => Math.min(4, Math.floor(length / 2))

/** Divides each row by its sum; a row of nothing attends to everything alike. */
function inRows(weights: Float64Array, length: number): Float32Array {
  const pattern = new Float32Array(weights.length)
  for (let row = 0; row < length; row++) {
    const cells = weights.subarray(row * length, (row + 1) * length)
    const sum = cells.reduce((total, weight) => total + weight, 0)
    cells.forEach((weight, column) => {
      pattern[row * length + column] = sum === 0 ? 1 / length : weight / sum
    })
  }
  return pattern
}

function shuffled(length: number, random: Random): number[] {
  const order = Array.from({ length }, (_, place) => place)
  for (let last = length - 1; last > 0; last--) {
    const other = Math.floor(random.uniform() * (last + 1))
    ;[order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0]
  }
  return order
}

/** A pattern as a drawing: each row's largest weight is the highest level. */
export function drawingOf(pattern: Float32Array, length: number): string {
  const levels: number[] = []
  for (let row = 0; row < length; row++) {
    const cells = pattern.subarray(row * length, (row + 1) * length)
    const largest = Math.max(...cells)
    for (const weight of cells) levels.push(Math.round((mostLevel * weight) / largest))
  }
  return levels.join('')
}

/** The drawing with one cell at another level. */
export function redrawn(drawn: string, cell: number, level: number): string {
  return drawn.slice(0, cell) + String(level) + drawn.slice(cell + 1)
}
