// Starting other programs: with their output shown, or captured. No shell is involved, so that
// arguments need no quoting; children get no standard input, so that nothing waits for a person.

import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

import { PlainError } from './say.mjs'

/** A log is no terminal, though some programs colour it when CI is set. */
const plain = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' }

/** Runs a program with its output shown; resolves to its exit code. */
export function exitCode(command, args, { cwd, env } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'inherit', 'inherit']
    const child = spawn(command, args, { cwd, env: { ...process.env, ...plain, ...env }, stdio })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(signal ? 128 : code))
  })
}

/** Runs a program with its output shown; rejects when it fails. */
export async function run(command, args, options = {}) {
  const code = await exitCode(command, args, options)
  if (code !== 0) {
    throw new PlainError(`failed with exit code ${code}: ${command} ${args.join(' ')}`)
  }
}

/** Runs a program and collects what it prints; never rejects for an exit code. */
export function capture(command, args, { cwd, env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...plain, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
    child.on('error', (error) => resolve({ code: 127, stdout, stderr: String(error) }))
    child.on('close', (code) => resolve({ code: code ?? 128, stdout, stderr }))
  })
}

/** Like `capture`, but the output alone; rejects with the program's own words when it fails. */
export async function output(command, args, options) {
  const { code, stdout, stderr } = await capture(command, args, options)
  if (code !== 0) {
    throw new PlainError(`failed: ${command} ${args.join(' ')}\n${stderr || stdout}`)
  }
  return stdout
}

/** The full path of a program on PATH, or undefined. */
export function which(name, searchPath = process.env.PATH ?? '') {
  for (const folder of searchPath.split(path.delimiter)) {
    const file = path.join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      if (statSync(file).isFile()) return file
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}

/** Runs `work` over `items`, at most `width` at a time, keeping the order of the results. */
export async function inParallel(items, width, work) {
  const results = new Array(items.length)
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index], index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
