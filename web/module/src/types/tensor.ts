// Tensors as they cross the API: plain objects, so that those of other runtimes pass as they are.

/**
 * A row-major tensor going in. Any object with these two fields will do, the tensors of
 * onnxruntime-web among them; `data` may be a view into a larger buffer. It is read, never kept
 * and never changed.
 */
export interface TensorLike {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/** A boolean tensor going in: nonzero means yes (attend, a real token). */
export interface BooleanTensorLike {
  readonly data: Uint8Array
  readonly dims: readonly number[]
}

/** A row-major tensor coming out: a copy that belongs to the caller. */
export interface Tensor {
  readonly type: 'float32'
  readonly data: Float32Array<ArrayBuffer>
  readonly dims: readonly number[]
}
