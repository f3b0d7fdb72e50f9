// safetensors files taken apart and put together again, right or wrong.

/** { header, data }: the header as text. */
export function takeApart(file) {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true))
  const header = new TextDecoder().decode(file.subarray(8, 8 + length))
  return { header, data: file.subarray(8 + length) }
}

export function putTogether(header, data, length) {
  const text = new TextEncoder().encode(header)
  const file = new Uint8Array(8 + text.length + data.length)
  new DataView(file.buffer).setBigUint64(0, length ?? BigInt(text.length), true)
  file.set(text, 8)
  file.set(data, 8 + text.length)
  return file
}

/** A file with these tensors: { name: [dims, Float32Array] }. */
export function safetensors(tensors) {
  const header = {}
  let end = 0
  for (const [name, [shape, array]] of Object.entries(tensors)) {
    header[name] = { dtype: 'F32', shape, data_offsets: [end, (end += array.byteLength)] }
  }
  const data = new Uint8Array(end)
  for (const [name, [, array]] of Object.entries(tensors)) {
    data.set(new Uint8Array(array.buffer), header[name].data_offsets[0])
  }
  return putTogether(JSON.stringify(header), data)
}
