/// <reference types="vite/client" />

/** A formula as MathML, rendered when the page is built. */
declare module '*.tex' {
  const mathml: string
  export default mathml
}
