const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default {
  base: './',
  server: { headers: process.env.ISOLATION ? isolation : {} },
}
