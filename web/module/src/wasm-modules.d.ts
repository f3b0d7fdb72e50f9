// JavaScript that the build puts into dist: what Emscripten writes beside each .wasm file, and the
// tokenizer library.
declare module '*/headwise-scalar.js' {
  import type { BindingsFactory } from './bindings.js'
  const create: BindingsFactory
  export default create
}
declare module '*/headwise-simd.js' {
  import type { BindingsFactory } from './bindings.js'
  const create: BindingsFactory
  export default create
}
declare module '*/headwise-relaxed.js' {
  import type { BindingsFactory } from './bindings.js'
  const create: BindingsFactory
  export default create
}
declare module '*/headwise-threads.js' {
  import type { BindingsFactory } from './bindings.js'
  const create: BindingsFactory
  export default create
}
declare module '*/headwise-threads-relaxed.js' {
  import type { BindingsFactory } from './bindings.js'
  const create: BindingsFactory
  export default create
}
declare module '*/tokenizers.js' {
  const library: unknown
  export default library
}
