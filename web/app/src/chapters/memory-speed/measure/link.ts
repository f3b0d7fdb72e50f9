// A result of the benchmark in a link, and back: `1_20261130T0512_512_58613.46700.24100_simd.1.412.405.420.9`,
// that is version, date, length, limits, and for each build its threads, median, quartiles and samples.
// Whatever makes no sense is no result: links are typed by strangers. Pure.
import type { Build } from 'headwise'
import type { DeviceLine, DeviceResult } from './results'

const version = '1'
const builds: readonly Build[] = ['scalar', 'simd', 'relaxed', 'threads', 'threads-relaxed']

/** Four digits, without an exponent and without a point: thousandths. */
const thousandths = (value: number): string => String(Math.round(value * 1000))

export function resultText({ date, length, limits, lines }: DeviceResult): string {
  const { relaxedMultiplyAdd = 0, multiplyThenAdd, memory } = limits
  const parts = [relaxedMultiplyAdd, multiplyThenAdd, memory].map(thousandths)
  const each = lines.map(({ build, threads, time }) => {
    const times = [time.median, time.low, time.high].map(thousandths)
    return [build, String(threads), ...times, String(time.samples)].join('.')
  })
  return [version, date, String(length), parts.join('.'), ...each].join('_')
}

/** A whole number of thousandths from 0 to a billion, else NaN. */
function fromThousandths(text: string | undefined): number {
  return /^\d{1,12}$/.test(text ?? '') ? Number(text) / 1000 : NaN
}

function lineOf(text: string): DeviceLine | null {
  const [name, threads, median, low, high, samples] = text.split('.')
  const build = builds.find((each) => each === name)
  const line = {
    threads: Number(threads),
    time: {
      median: fromThousandths(median),
      low: fromThousandths(low),
      high: fromThousandths(high),
      samples: Number(samples),
    },
  }
  const { time } = line
  const counts = [line.threads, time.samples].every(
    (count) => Number.isInteger(count) && count >= 1,
  )
  const ordered = time.low > 0 && time.low <= time.median && time.median <= time.high
  return build && counts && ordered && line.threads <= 256 ? { build, ...line } : null
}

function dateOf(text: string | undefined): Date | null {
  const [, year, month, day, hour, minute] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  if (year === undefined) return null
  const date = new Date(`${year}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}Z`)
  return Number.isNaN(date.getTime()) ? null : date
}

export function resultOf(text: string): DeviceResult | null {
  const [given, date, length, limits, ...rest] = text.split('_')
  if (given !== version || !date || dateOf(date) === null || !/^\d{2,5}$/.test(length ?? '')) {
    return null
  }
  const [relaxed = NaN, multiplyThenAdd = NaN, memory = NaN] = (limits ?? '')
    .split('.')
    .map(fromThousandths)
  const lines = rest.map(lineOf)
  if (!(multiplyThenAdd > 0 && memory > 0 && relaxed >= 0) || lines.length === 0) return null
  const whole = lines.filter((line) => line !== null)
  if (
    whole.length !== lines.length ||
    new Set(whole.map(({ build }) => build)).size !== lines.length
  )
    return null
  return {
    date,
    length: Number(length),
    limits: { ...(relaxed > 0 && { relaxedMultiplyAdd: relaxed }), multiplyThenAdd, memory },
    lines: whole,
  }
}

/** The date of a result for a reader of that language. */
export function dateText(date: string, language: string): string {
  const when = dateOf(date)
  if (!when) return date
  return when.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
}
