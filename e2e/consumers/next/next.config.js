import path from 'node:path'

const isolation = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
]

/** @type {import('next').NextConfig} */
export default {
  headers: () => [
    { source: '/isolated', headers: isolation },
    // The scripts of Workers need them too, and do no harm elsewhere.
    { source: '/_next/static/:path*', headers: isolation },
  ],
  // The tools are installed one folder up, for all the projects here.
  turbopack: { root: path.resolve('..') },
}
