// A pause in which the event loop delivers messages.

declare const setImmediate: ((callback: () => void) => void) | undefined

let channel: MessageChannel | undefined
const waiting: (() => void)[] = []

/** Resolves in a later task. Timers would do but browsers make them wait 4 ms. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') {
      setImmediate(resolve)
      return
    }
    if (channel === undefined) {
      channel = new MessageChannel()
      channel.port1.onmessage = () => waiting.shift()?.()
    }
    waiting.push(resolve)
    channel.port2.postMessage(undefined)
  })
}
