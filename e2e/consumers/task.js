// What every project here does with headwise, and what it reports of it: attention whose result is
// known, a small model, and on what it ran.

const identity = { data: Float32Array.of(1, 0, 0, 1), dims: [1, 1, 2, 2] }
const value = { data: Float32Array.of(1, 2, 3, 4), dims: [1, 1, 2, 2] }

/** Softmax of [1, 0] weighs the two rows of `value`. */
const share = Math.E / (Math.E + 1)
const expected = [3 - 2 * share, 4 - 2 * share, 1 + 2 * share, 2 + 2 * share]

/** `createRuntime` is that of either entrance; `model` is the address of the model's folder. */
export async function task(createRuntime, model, options = {}) {
  const warnings = []
  const hw = await createRuntime({ ...options, onWarning: (text) => warnings.push(text) })
  const { output } = await hw.attention(identity, identity, value, { scale: 1 })
  const encoder = await hw.loadModel(model)
  const { tokens, output: hidden } = await encoder.run('the cat sat')
  const { build, threads, version } = hw.info
  hw.dispose()
  return {
    build,
    threads,
    version,
    warnings,
    tokens,
    dims: hidden.dims,
    error: Math.max(...expected.map((number, i) => Math.abs(number - output.data[i]))),
  }
}

/** Writes the report of a page into it, for whoever looks. */
export async function show(report) {
  const text = await Promise.resolve(report).catch((error) => ({ failure: String(error) }))
  const element = document.querySelector('#report') ?? document.createElement('pre')
  element.id = 'report'
  element.textContent = JSON.stringify(text)
  document.body.append(element)
}
