// A matrix turned over: PyTorch's [out, in] weights for runtimes that want [in, out].

/** matrix [rows, columns] -> [columns, rows], of the same array type. */
export function transposed(matrix, rows, columns) {
  const result = new matrix.constructor(matrix.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      result[column * rows + row] = matrix[row * columns + column]
    }
  }
  return result
}
