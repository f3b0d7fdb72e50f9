// A Vite plugin: a `.tex` file becomes MathML at build time, so that the page carries no formula
// renderer; `.inline.tex` is set for running text. `\href{symbol:alpha}{\alpha}` marks a symbol that the reader can choose.
import katex from 'katex'
import type { Plugin } from 'vite'

export function mathmlOf(tex: string, displayMode: boolean): string {
  const html = katex.renderToString(tex.trim(), {
    displayMode,
    output: 'mathml',
    strict: 'error',
    // Only our own marks for symbols, never an address.
    trust: (context) => context.command === '\\href' && /^symbol:[a-z]+$/.test(context.url),
  })
  return html
    .replace(/^<span class="katex">/, '')
    .replace(/<\/span>$/, '')
    .replace('<math ', '<math lang="en" ')
    .replace(/href="symbol:([a-z]+)"/g, 'data-symbol="$1"')
    .replace(/<annotation[^>]*>.*?<\/annotation>/s, '')
}

export function tex(): Plugin {
  return {
    name: 'headwise-tex',
    transform(code, id) {
      if (!id.endsWith('.tex')) return null
      return {
        code: `export default ${JSON.stringify(mathmlOf(code, !id.endsWith('.inline.tex')))}`,
        map: null,
      }
    },
  }
}
