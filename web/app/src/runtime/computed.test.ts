import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Computed } from './computed.svelte'

vi.mock('./reading.svelte', () => ({ recover: vi.fn() }))
vi.mock('./session.svelte', () => ({ isLost: () => false, messageOf: String }))

const frames: (() => void)[] = []

function frame(): void {
  for (const go of frames.splice(0)) go()
}

beforeEach(() => {
  frames.length = 0
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('requestAnimationFrame', (go: () => void) => frames.push(go))
})

describe('what is computed', () => {
  it('is shown at once the first time, then with the frame', async () => {
    const computed = new Computed<number>()
    await computed.ask('a', () => Promise.resolve(1))
    expect(computed.of('a')).toBe(1)
    await computed.ask('b', () => Promise.resolve(2))
    expect(computed.latest).toBe(1)
    frame()
    expect(computed.of('b')).toBe(2)
  })

  it('stays when the reader comes back to it before the next answer is there', async () => {
    const computed = new Computed<number>()
    await computed.ask('a', () => Promise.resolve(1))
    let answer: ((value: number) => void) | undefined
    let signal: AbortSignal | undefined
    const asked = computed.ask('b', (given) => {
      signal = given
      return new Promise((resolve) => {
        answer = resolve
      })
    })
    await computed.ask('a', () => Promise.reject(new Error('known already')))
    expect(signal?.aborted).toBe(true)
    answer?.(2)
    await asked
    frame()
    expect(computed.of('a')).toBe(1)
    await computed.ask('b', () => Promise.resolve(3))
    frame()
    expect(computed.of('b')).toBe(3)
  })

  it('is asked again where another answer waits for its frame', async () => {
    const computed = new Computed<number>()
    await computed.ask('a', () => Promise.resolve(1))
    await computed.ask('b', () => Promise.resolve(2))
    await computed.ask('a', () => Promise.resolve(4))
    frame()
    expect(computed.of('a')).toBe(4)
  })
})
