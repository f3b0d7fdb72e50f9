// Counts what WebAssembly takes in this page: every memory is noted as it is made or exported. A
// classic script, so that it runs before anything else.

;(() => {
  const memories = new Set()
  const Memory = WebAssembly.Memory
  WebAssembly.Memory = new Proxy(Memory, {
    construct(target, args) {
      const memory = Reflect.construct(target, args)
      memories.add(memory)
      return memory
    },
  })
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name].bind(WebAssembly)
    WebAssembly[name] = async (...args) => {
      const result = await original(...args)
      for (const value of Object.values((result.instance ?? result).exports)) {
        if (value instanceof Memory) memories.add(value)
      }
      return result
    }
  }
  /** Bytes of all memories; they never shrink. */
  window.heapBytes = () => [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
})()
