// Which memory of a message changes hands and which is copied.

/** An object whose contents are sent, not the object: see `pack`. */
export interface Packable {
  /** What stands for it in a message. */
  reference(): unknown
}

/** Marks a method that `pack` calls instead of looking into the object. */
function isPackable(value: object): value is Packable {
  return typeof (value as Partial<Packable>).reference === 'function'
}

/** Names of options that mean something on the calling side only. */
const local = new Set(['signal', 'transfer', 'onProgress', 'onPartial', 'onLoaded', 'onWarning'])

/**
 * An array with memory of its own, of the same kind. The array's `slice` is not asked: that of a Node
 * `Buffer` gives a view of memory that it shares with others. What is none of these kinds stays as it
 * is, and is cloned when it is posted.
 */
function copyOf(array: ArrayBufferView): ArrayBufferView {
  const { buffer, byteOffset, byteLength } = array
  const Kind = kinds.get(Object.prototype.toString.call(array).slice('[object '.length, -1))
  if (Kind === undefined) return array
  // Memory that was handed on to somebody else is gone: nothing is there.
  const own =
    byteLength === 0 ? new ArrayBuffer(0) : buffer.slice(byteOffset, byteOffset + byteLength)
  return new Kind(own as ArrayBuffer)
}

/** By their names, for arrays of other windows are none of this one's classes. */
const kinds = new Map<string, new (buffer: ArrayBuffer) => ArrayBufferView>(
  [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    DataView,
  ].map((kind) => [kind.name, kind]),
)

/**
 * A copy of `value` fit to be posted, and the buffers that go along instead of being cloned: typed
 * arrays are copied first (a view would otherwise drag its whole buffer along), or with `transfer`
 * handed over when they fill their buffer exactly. Shared memory stays shared. Objects with data and
 * dims become plain tensors, whatever class they are of.
 */
export function pack(
  value: unknown,
  transfer: boolean,
): { value: unknown; buffers: (ArrayBuffer | MessagePort)[] } {
  const buffers = new Set<ArrayBuffer | MessagePort>()

  function packArray(array: ArrayBufferView): unknown {
    const { buffer } = array
    if (typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer)
      return array
    if (transfer && array.byteLength === buffer.byteLength) {
      buffers.add(buffer as ArrayBuffer)
      return array
    }
    const copy = copyOf(array)
    if (copy !== array) buffers.add(copy.buffer as ArrayBuffer)
    return copy
  }

  function packValue(item: unknown): unknown {
    if (typeof item === 'function') return undefined
    if (typeof item !== 'object' || item === null) return item
    if (ArrayBuffer.isView(item)) return packArray(item)
    if (item instanceof ArrayBuffer) return packValue(new Uint8Array(item))
    if (item instanceof URL) return item.href
    if (item instanceof WebAssembly.Module || item instanceof Blob) return item
    if (item instanceof MessagePort) {
      buffers.add(item)
      return item
    }
    if (isPackable(item)) return item.reference()
    if (Array.isArray(item)) return item.map(packValue)
    const { data, dims } = item as { data?: unknown; dims?: unknown }
    if (data !== undefined && dims !== undefined) {
      return { data: packValue(data), dims: packValue(dims) }
    }
    const entries = Object.entries(item).filter(([name]) => !local.has(name))
    return Object.fromEntries(entries.map(([name, entry]) => [name, packValue(entry)]))
  }

  return { value: packValue(value), buffers: [...buffers] }
}

/** The buffers of a result, all of which the sender can give away. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer)
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) buffersOf(item, found)
  }
  return found
}
