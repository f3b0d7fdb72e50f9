// How the numbers of chapter 11 are written. Pure.

/** A small difference: 0, or a power of ten with one digit. */
export function differenceText(value: number): string {
  if (value === 0) return '0'
  if (!Number.isFinite(value)) return '…'
  const power = Math.floor(Math.log10(value))
  const exponent = String(Math.abs(power)).replace(
    /\d/g,
    (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '',
  )
  return `${(value / 10 ** power).toFixed(1)} · 10${power < 0 ? '⁻' : ''}${exponent}`
}

/** Milliseconds with about three digits. */
export function milliseconds(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
  return `${value.toFixed(digits)} ms`
}

/** Bytes in powers of ten, exact while they are few. */
export function bytesText(count: number): string {
  if (count < 1e5) return `${count.toLocaleString('en-US')} B`
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} KB`
  if (count < 1e9) return `${(count / 1e6).toFixed(1)} MB`
  return `${(count / 1e9).toFixed(1)} GB`
}
