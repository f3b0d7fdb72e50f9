// What the scripts print: plain lines with how long things took. No colours, no spinners: the same
// text reads well in a terminal and in a log. Progress goes to standard error; results that another
// program may read go to standard output, each where it arises.

export function say(message) {
  process.stderr.write(`[headwise] ${message}\n`)
}

export function seconds(milliseconds) {
  const value = milliseconds / 1000
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`
}

/** Runs `work`, prints how long it took, and hands on its result. */
export async function timed(title, work) {
  const start = performance.now()
  say(`${title} ...`)
  const result = await work()
  say(`${title}: done in ${seconds(performance.now() - start)}`)
  return result
}

/** An error that a person can act upon: printed without a stack. */
export class PlainError extends Error {
  name = 'PlainError'
}

/** Runs a script's main function; a PlainError ends it with its message alone. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? process.exitCode ?? 0
  } catch (error) {
    if (!(error instanceof PlainError)) throw error
    console.error(`[headwise] ${error.message}`)
    process.exitCode = 1
  }
}
