// The projects: what builds each, what serves it, and what is to be seen there.

import { contentSecurityPolicy } from '../../scripts/serve.mjs'

/** Headers of a host: none, or all that a careful one sends. */
const none = { isolation: false, csp: false }
const strict = { isolation: true, csp: true }

/** The built files on a static host, in a sub-path, with and without headers. */
const staticVisits = (folder) => [none, strict].map((headers) => ({ folder, ...headers }))

/** A tool's own server; it sends no policy, or could not work as it does. */
const serverVisits = (mode, command, isolated = '') => [
  { mode, command, isolation: false, csp: false },
  { mode, command, isolation: true, csp: false, path: isolated },
]

/** The policy of a page whose module comes from `origin`. */
const cdnPolicy = (origin) =>
  contentSecurityPolicy
    .replace("script-src 'self'", `script-src 'self' ${origin}`)
    .replace("connect-src 'self'", `connect-src 'self' ${origin}`)
    .replace("worker-src 'self'", `worker-src 'self' blob: ${origin}`)

/**
 * `tool` is the package that builds the project. What a visit does not say holds for all: threads where
 * the page is isolated, no warning.
 */
export const projects = [
  { name: 'plain-script', visits: staticVisits('.') },
  {
    name: 'cdn',
    long: true,
    visits: [
      {
        mode: 'on the page',
        folder: '.',
        ...none,
        cdn: true,
        warning: /no Worker could be started/,
      },
      { mode: 'blob Worker', folder: '.', query: { worker: '' }, ...none, cdn: true },
      {
        mode: 'blob Worker',
        folder: '.',
        query: { worker: '' },
        isolation: true,
        csp: cdnPolicy,
        cdn: true,
        // The scripts of the threads are of the other origin too, which shows when they are started.
        build: 'relaxed',
        files: 2,
        warning: /computing on one thread/,
      },
    ],
  },
  {
    name: 'vite',
    tool: 'vite',
    long: true,
    visits: [...staticVisits('dist'), ...serverVisits('dev server', 'dev')],
  },
  {
    name: 'vite7',
    tool: 'vite7',
    long: true,
    visits: [...staticVisits('dist'), ...serverVisits('dev server', 'dev')],
  },
  { name: 'webpack', tool: 'webpack', long: true, visits: staticVisits('public') },
  { name: 'esbuild', tool: 'esbuild', long: true, visits: staticVisits('public') },
  { name: 'own-worker', tool: 'vite', long: true, visits: staticVisits('dist') },
  { name: 'next', tool: 'next', long: true, visits: serverVisits('server', 'start', 'isolated') },
]
