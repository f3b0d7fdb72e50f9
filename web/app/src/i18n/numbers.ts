// How numbers are written: the same digits in both languages, so that figures can be compared.

/** Weights, scores, norms: three decimals, true minus sign. */
export function decimal(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : String(value)
  const text = Math.abs(value).toFixed(digits)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

/** A share of 1 in whole per cent; what is not quite nothing or all is not rounded to it. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '<1%'
  if (share < 1 && share > 0.995) return '>99%'
  return `${String(Math.round(share * 100))}%`
}

/** Bytes in the unit that suits, in powers of ten as download sizes are given. */
export function bytes(count: number): string {
  if (count < 1e3) return `${String(count)} B`
  if (count < 1e6) return `${(count / 1e3).toFixed(0)} KB`
  if (count < 1e9) return `${(count / 1e6).toFixed(1)} MB`
  return `${(count / 1e9).toFixed(1)} GB`
}

/** 22.7 M */
export function millions(count: number): string {
  return `${(count / 1e6).toFixed(1)} M`
}

/** A number inside a map's cell: .49, and 1.0 for all of it. */
export function cellNumber(value: number): string {
  return value >= 0.995 ? value.toFixed(1) : value.toFixed(2).replace(/^0/, '')
}

/** Made once: with options, `toLocaleString` makes one for every number. */
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A whole number with its thousands apart: 1,048,576. */
export function count(value: number): string {
  return whole.format(value)
}

/** A time to wait, in milliseconds, as roughly as one needs it: 8 s, 40 s, 3 min. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000))
  if (seconds < 10) return `${String(seconds)} s`
  if (seconds < 90) return `${String(Math.round(seconds / 5) * 5)} s`
  return `${String(Math.round(seconds / 60))} min`
}
