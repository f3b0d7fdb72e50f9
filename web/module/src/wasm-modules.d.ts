// The JavaScript that Emscripten writes beside each .wasm file; put into dist/wasm by the build.
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
