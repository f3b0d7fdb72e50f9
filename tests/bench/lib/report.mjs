// Tables as Markdown, and files of a run: build/bench/NAME.json with every figure, NAME.md to read.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { buildFolder, shown } from '../../../scripts/lib/paths.mjs'
import { say } from '../../../scripts/lib/say.mjs'
import { warningOf } from './machine.mjs'

/** A number with three significant digits, but never with an exponent. */
export function digits(value) {
  if (value === undefined || !Number.isFinite(value)) return '-'
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return value.toFixed(Math.min(decimals, 4))
}

export const factor = (value) => (Number.isFinite(value) ? `${value.toFixed(2)}x` : '-')
export const percent = (value) => (Number.isFinite(value) ? `${(100 * value).toFixed(1)} %` : '-')

/** A Markdown table with aligned columns; the first one to the left, the others to the right. */
export function table(heads, rows) {
  const cells = [heads, ...rows].map((row) => row.map(String))
  const widths = heads.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)))
  const line = (row) => {
    const padded = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(cells[0]), `| ${rule.join(' | ')} |`, ...cells.slice(1).map(line)].join('\n')
}

function conditions(run) {
  const packages = Object.entries(run.packages).map(([name, version]) => `${name} ${version}`)
  return [
    `- ${run.cpu}, ${run.cores} cores, ${run.memoryGigabytes} GB; ${run.system}`,
    `- ${run.browser}; Node ${run.node}; ${run.date}`,
    `- commit ${run.commit}; ${packages.join(', ')}`,
    ...(warningOf(run) ? [`- **${warningOf(run)}**`] : []),
  ].join('\n')
}

/** Prints and writes a report of { title, run, sections: Markdown texts, data: for the JSON }. */
export function report(name, { title, run, sections, data }) {
  const markdown = [`# ${title}`, conditions(run), ...sections].join('\n\n') + '\n'
  const folder = path.join(buildFolder, 'bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ run, ...data }, null, 1) + '\n')
  writeFileSync(path.join(folder, `${name}.md`), markdown)
  console.log(markdown)
  say(`written: ${shown(path.join(folder, `${name}.json`))} and ${name}.md`)
}
