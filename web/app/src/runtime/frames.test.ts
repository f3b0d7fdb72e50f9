import { describe, expect, it } from 'vitest'
import { budget, FrameQueue } from './frames'

/** A clock that goes on only when somebody works, and frames that come only when asked for. */
function stage() {
  const at = { now: 0, frames: [] as (() => void)[] }
  const queue = new FrameQueue({
    now: () => at.now,
    next: (go) => at.frames.push(go),
  })
  const frame = (): void => {
    for (const go of at.frames.splice(0)) go()
  }
  return { at, queue, frame }
}

describe('the frame queue', () => {
  it('takes no more of a frame than its budget and one piece, and finishes in later frames', () => {
    const { at, queue, frame } = stage()
    let done = 0
    for (let job = 0; job < 10; job++) {
      queue.add(() => {
        at.now += 1
        done += 1
        return true
      })
    }
    expect(done).toBe(0)
    frame()
    expect(done).toBe(budget)
    frame()
    frame()
    expect(done).toBe(10)
    frame()
    expect(at.frames).toHaveLength(0)
  })

  it('does not let a short thing wait behind a long one', () => {
    const { at, queue, frame } = stage()
    const order: string[] = []
    let left = 20
    queue.add(() => {
      at.now += 1
      left -= 1
      if (left === 0) order.push('long')
      return left === 0
    })
    queue.add(() => {
      order.push('short')
      return true
    })
    for (let each = 0; each < 10; each++) frame()
    expect(order).toEqual(['short', 'long'])
  })

  it('forgets what is called off', () => {
    const { queue, frame } = stage()
    let ran = false
    const cancel = queue.add(() => {
      ran = true
      return true
    })
    cancel()
    frame()
    expect(ran).toBe(false)
  })

  it('takes work that is added while it works', () => {
    const { queue, frame } = stage()
    let inner = false
    queue.add(() => {
      queue.add(() => {
        inner = true
        return true
      })
      return true
    })
    frame()
    frame()
    expect(inner).toBe(true)
  })
})
