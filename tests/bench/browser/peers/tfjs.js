// TensorFlow.js on its WebAssembly backend. Only a plain, untransposed matrix product reaches its
// fast code, so the heads are taken one by one; batched products are about twice as slow.

import { dModel, headDim, numHeads } from '../../cases/attention.js'
import { transposed } from '../../formats/transposed.js'

const packages = new URL('../../node_modules/@tensorflow/', import.meta.url)

function loadScript(path) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = new URL(path, packages)
    script.onload = resolve
    script.onerror = () => reject(new Error(`cannot load ${path}`))
    document.head.append(script)
  })
}

async function loadTensorFlow(threads) {
  // Its pool has at most half the cores that the browser tells of.
  if (threads > 1) {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 * threads })
  }
  await loadScript('tfjs/dist/tf.min.js')
  await loadScript('tfjs-backend-wasm/dist/tf-backend-wasm.min.js')
  const { tf } = globalThis
  tf.wasm.setWasmPaths(new URL('tfjs-backend-wasm/dist/', packages).href)
  tf.wasm.setThreadsCount(threads)
  if (!(await tf.setBackend('wasm'))) throw new Error('no WebAssembly backend')
  await tf.ready()
  return tf
}

function causalMask(tf, length) {
  const mask = new Float32Array(length * length)
  for (let row = 0; row < length; row++) mask.fill(-1e9, row * length + row + 1, (row + 1) * length)
  return tf.tensor2d(mask, [length, length])
}

function attention(tf, { queries, keys }, query, key, value, mask) {
  const scaled = query.mul(1 / Math.sqrt(headDim))
  const columns = key.transpose()
  const outputs = Array.from({ length: numHeads }, (_, head) => {
    const from = head * headDim
    const headQuery = scaled.slice([0, from], [queries, headDim])
    const scores = tf.matMul(headQuery, columns.slice([from, 0], [headDim, keys]))
    const weights = tf.softmax(mask ? scores.add(mask) : scores)
    return tf.matMul(weights, value.slice([0, from], [keys, headDim]))
  })
  return tf.concat(outputs, 1)
}

/** { threads } */
export async function open({ threads }) {
  const tf = await loadTensorFlow(threads)
  const sequence = (data) => tf.tensor2d(data, [data.length / dModel, dModel])
  return {
    version: `@tensorflow/tfjs ${tf.version.tfjs}`,
    async prepare(shape, inputs) {
      const mask = shape.causal ? causalMask(tf, shape.queries) : undefined
      const kept = []
      const keep = (tensor) => kept[kept.push(tensor) - 1]
      let compute
      if (shape.kind === 'block') {
        const weights = Object.entries(inputs.weights).map(([name, data]) => [
          name,
          keep(sequence(transposed(data, dModel, dModel))),
        ])
        const { query, key, value, output } = Object.fromEntries(weights)
        compute = () => {
          const x = sequence(inputs.x)
          const projected = [query, key, value].map((weight) => tf.matMul(x, weight))
          return tf.matMul(attention(tf, shape, ...projected, mask), output)
        }
      } else {
        const resident = shape.kind === 'decode'
        const [key, value] = resident
          ? [keep(sequence(inputs.key)), keep(sequence(inputs.value))]
          : []
        compute = () =>
          attention(
            tf,
            shape,
            sequence(inputs.query),
            key ?? sequence(inputs.key),
            value ?? sequence(inputs.value),
            mask,
          )
      }
      return {
        run: () => {
          const output = tf.tidy(compute)
          const data = output.dataSync()
          output.dispose()
          return data
        },
        dispose: () => {
          for (const tensor of [...kept, mask]) tensor?.dispose()
        },
      }
    },
  }
}
