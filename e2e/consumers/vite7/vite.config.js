const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default {
  base: './',
  server: { headers: process.env.ISOLATION ? isolation : {} },
  // Vite 7's dev server would move the package's code away from its Worker.
  optimizeDeps: { exclude: ['headwise'] },
  // Its Workers would be one file each; the module's loads only the build that it needs.
  worker: { format: 'es' },
}
