// What every stage of `npm test` hands back, and the arithmetic on it.

export const nothing = { passed: 0, failed: 0, skipped: 0 }

export function sum(results) {
  return results.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    nothing,
  )
}

/** A check that either holds or does not. */
export function verdict(holds) {
  return { passed: holds ? 1 : 0, failed: holds ? 0 : 1, skipped: 0 }
}

/** A runner that ended badly without counting a failure has still failed once. */
export function withExitCode(result, code) {
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result
}

/** `12 passed, 0 failed`, and `, 1 skipped` only when there is something skipped. */
export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
