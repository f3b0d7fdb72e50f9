// Writes small safetensors files for tests.

export interface StoredArray {
  dtype: string
  dims: number[]
  array: Float32Array | Int8Array | Int32Array | Uint16Array
}

/** The bytes of a file with these tensors, in this order. */
export function safetensors(tensors: Record<string, StoredArray>): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } }
  let end = 0
  for (const [name, { dtype, dims, array }] of Object.entries(tensors)) {
    const start = end
    end += array.byteLength
    header[name] = { dtype, shape: dims, data_offsets: [start, end] }
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const file = new Uint8Array(8 + text.length + end)
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true)
  file.set(text, 8)
  let offset = 8 + text.length
  for (const { array } of Object.values(tensors)) {
    file.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset)
    offset += array.byteLength
  }
  return file
}
