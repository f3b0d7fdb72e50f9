// JavaScript that the build puts into dist: what Emscripten writes beside the .wasm files, and the
// tokenizer library.
declare module '*/headwise.js' {
  import type { BindingsFactory } from './bindings.js'
  const create: BindingsFactory
  export default create
}
declare module '*/headwise-threads.js' {
  import type { BindingsFactory } from './bindings.js'
  const create: BindingsFactory
  export default create
}
declare module '*/tokenizers.js' {
  const library: unknown
  export default library
}
