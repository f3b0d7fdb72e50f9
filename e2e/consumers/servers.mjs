// What serves the projects' pages: a static host, or a tool's own server.

import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'

import { serve } from '../../scripts/serve.mjs'
import { workplace } from './workplace.mjs'

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

async function isUp(address) {
  try {
    return (await fetch(address)).ok
  } catch {
    return false
  }
}

/** `npm run COMMAND` of the project until it answers; ended with all that it has started. */
async function toolServer(folder, visit) {
  const { command, isolation } = visit
  const port = await freePort()
  const child = spawn('npm', ['run', command, '--', '--port', String(port)], {
    cwd: folder,
    detached: true,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...(isolation && { ISOLATION: '1' }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (printed += text))
  }
  const close = () => {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  }
  const url = `http://localhost:${port}/${visit.path ?? ''}`
  const deadline = performance.now() + 120_000
  while (!(await isUp(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      close()
      throw new Error(`npm run ${command} does not answer:\n${printed.slice(-2000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return { url, close }
}

/** Serves what a visit is to see; resolves to { url, close }. */
export async function serveVisit(folder, visit) {
  if (visit.command) return toolServer(folder, visit)
  const cdn = visit.cdn
    ? await serve({
        folder: path.join(folder, 'node_modules/headwise/dist'),
        port: 0,
        isolation: false,
        csp: false,
        sharing: true,
      })
    : undefined
  const { isolation } = visit
  const csp = typeof visit.csp === 'function' ? visit.csp(cdn.url) : visit.csp
  const site = await serve({ folder: workplace, port: 0, isolation, csp })
  const place = path.relative(workplace, path.join(folder, visit.folder))
  const query = new URLSearchParams({ ...visit.query, ...(cdn && { cdn: cdn.url }) })
  return {
    url: `${site.url}${place}/${query.size > 0 ? `?${query}` : ''}`,
    close: () => Promise.all([site.close(), cdn?.close()]),
  }
}
