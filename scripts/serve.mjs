// A static server for the built page, as a good host would serve it: right media types, byte ranges,
// validators, a strict Content-Security-Policy, and the two headers that allow threads.
//
//   node scripts/serve.mjs [folder] [--port N] [--host NAME] [--no-isolation] [--no-csp]

import './lib/node-version.mjs'

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { isMain, root } from './lib/paths.mjs'
import { PlainError, main, say } from './lib/say.mjs'

const mediaTypes = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** No eval, no inline code, no other origin; WebAssembly needs its own keyword. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** For files that pages of other origins may use, isolated ones among them. */
const sharingHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** The file for a request path, or undefined when it leaves the folder or does not exist. */
async function fileFor(folder, requestPath) {
  let decoded
  try {
    decoded = decodeURIComponent(requestPath)
  } catch {
    return undefined
  }
  if (decoded.includes('\0')) return undefined
  let file = path.join(folder, decoded)
  if (file !== folder && !file.startsWith(folder + path.sep)) return undefined
  try {
    let about = await stat(file)
    if (about.isDirectory()) {
      if (!decoded.endsWith('/')) return undefined
      file = path.join(file, 'index.html')
      about = await stat(file)
    }
    return about.isFile() ? { file, about } : undefined
  } catch {
    return undefined
  }
}

/** One byte range as { start, end }, null when it cannot be met, undefined when none is asked for. */
function rangeOf(header, size) {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return undefined
  const start = asked[1] === '' ? Math.max(0, size - Number(asked[2])) : Number(asked[1])
  const end = asked[1] === '' || asked[2] === '' ? size - 1 : Math.min(Number(asked[2]), size - 1)
  return start <= end ? { start, end } : null
}

async function answer(request, response, folder, headers) {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    return
  }
  const found = await fileFor(folder, request.url.split('?', 1)[0])
  if (!found) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not found\n')
    return
  }
  const { file, about } = found
  const etag = `"${about.size.toString(16)}-${Math.trunc(about.mtimeMs).toString(16)}"`
  response.setHeader('Content-Type', mediaTypes[path.extname(file)] ?? 'application/octet-stream')
  response.setHeader('ETag', etag)
  response.setHeader('Accept-Ranges', 'bytes')
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end()
    return
  }
  const mayRange = (request.headers['if-range'] ?? etag) === etag
  const range = mayRange ? rangeOf(request.headers.range, about.size) : undefined
  if (range === null) {
    response.writeHead(416, { 'Content-Range': `bytes */${about.size}` }).end()
    return
  }
  const { start, end } = range ?? { start: 0, end: about.size - 1 }
  if (range) response.setHeader('Content-Range', `bytes ${start}-${end}/${about.size}`)
  response.writeHead(range ? 206 : 200, { 'Content-Length': end - start + 1 })
  if (request.method === 'HEAD' || about.size === 0) {
    response.end()
    return
  }
  const stream = createReadStream(file, { start, end })
  stream.on('error', () => response.destroy())
  response.on('close', () => stream.destroy())
  stream.pipe(response)
}

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address().port)
    })
  })
}

/**
 * Serves `folder`; resolves to { url, close }. `csp` may be a policy of one's own; `sharing` lets pages
 * of other origins use the files. A port that is taken is passed over for one of the
 * next ten unless `exactPort`; port 0 is any free one.
 */
export async function serve({
  folder,
  port = 4173,
  host = 'localhost',
  isolation = true,
  csp = true,
  sharing = false,
  exactPort = false,
}) {
  const headers = {
    // Always asked for again, answered with 304 while unchanged: a rebuilt page is seen at once.
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(isolation && isolationHeaders),
    ...(sharing && sharingHeaders),
    ...(csp && { 'Content-Security-Policy': csp === true ? contentSecurityPolicy : csp }),
  }
  const absolute = path.resolve(folder)
  const server = createServer((request, response) => {
    answer(request, response, absolute, headers).catch(() => response.destroy())
  })
  for (let next = port; ; next++) {
    try {
      const used = await listen(server, next, host)
      const close = () => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      }
      return { url: `http://${host}:${used}/`, close }
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error
      if (exactPort || next >= port + 10) throw new PlainError(`port ${next} is taken`)
    }
  }
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        'no-isolation': { type: 'boolean' },
        'no-csp': { type: 'boolean' },
      },
    })
    const folder = positionals[0] ?? path.join(root, 'web/app/dist')
    const { url } = await serve({
      folder,
      isolation: !values['no-isolation'],
      csp: !values['no-csp'],
      exactPort: values.port !== undefined,
      ...(values.port && { port: Number(values.port) }),
      ...(values.host && { host: values.host }),
    })
    say(`serving ${folder}`)
    console.log(url)
  })
}
