// The JavaScript that Emscripten writes beside each .wasm file; put into dist/wasm by the build.
declare module '*/headwise-scalar.js' {
  const create: import('./bindings.js').BindingsFactory
  export default create
}
declare module '*/headwise-simd.js' {
  const create: import('./bindings.js').BindingsFactory
  export default create
}
declare module '*/headwise-relaxed.js' {
  const create: import('./bindings.js').BindingsFactory
  export default create
}
