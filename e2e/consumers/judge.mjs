// What is to be seen wherever the module runs, in words where it is not.

const tokens = ['[CLS]', 'the', 'cat', 'sat', '[SEP]']

/** What is wrong with a report of task.js. */
export function faultsOfReport(report, { builds, warning }) {
  if (report.failure !== undefined) return [report.failure]
  const faults = []
  const expect = (holds, expected, received) => {
    if (!holds) faults.push(`expected ${expected}; received ${JSON.stringify(received)}`)
  }
  expect(builds.includes(report.build), `the build ${builds.join(' or ')}`, report.build)
  expect(report.error < 1e-6, 'the right attention', report.error)
  expect(String(report.tokens) === String(tokens), 'the tokens of the model', report.tokens)
  expect(String(report.dims) === '1,5,16', 'dims [1, 5, 16]', report.dims)
  const { warnings } = report
  if (warning === undefined) expect(warnings.length === 0, 'no warning', warnings)
  else expect(warnings.length === 1 && warning.test(warnings[0]), `one ${warning}`, warnings)
  return faults
}

/** What is wrong with a page. */
export function faultsOf({ report, isolated, problems, fetched }, visit) {
  const builds = [visit.build ?? (visit.isolation ? 'threads-relaxed' : 'relaxed')]
  const faults = faultsOfReport(report, { builds, warning: visit.warning })
  if (isolated !== visit.isolation) faults.push(`crossOriginIsolated is ${isolated}`)
  for (const problem of problems) faults.push(`in the console: ${problem}`)
  const wasm = new Set(fetched.filter((url) => /\.wasm\b/.test(url)))
  const files = visit.files ?? 1
  if (wasm.size !== files) {
    faults.push(`expected ${files} WebAssembly file(s); received ${[...wasm]}`)
  }
  return faults
}
