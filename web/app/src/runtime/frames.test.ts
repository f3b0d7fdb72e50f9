import { describe, expect, it } from 'vitest'
import { budget, FrameQueue } from './frames'

/** A clock that goes on only when somebody works, and frames that come only when asked for. */
function stage() {
  const at = { now: 0, frames: [] as ((began: number) => void)[] }
  const queue = new FrameQueue({
    now: () => at.now,
    next: (go) => at.frames.push(go),
  })
  /** A frame in which others have worked for so long. */
  const frame = (taken = 0): void => {
    const began = at.now
    at.now += taken
    for (const go of at.frames.splice(0)) go(began)
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
    while (done < 10) frame()
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

  it('leaves a full frame alone, and not two in a row', () => {
    const { queue, frame } = stage()
    let done = 0
    const work = (): void => {
      queue.add(() => {
        done += 1
        return true
      })
    }
    work()
    frame(budget + 1)
    expect(done).toBe(0)
    frame(budget + 1)
    expect(done).toBe(1)
    work()
    frame(budget)
    expect(done).toBe(2)
  })

  it('counts what others have used of a frame, and has a little of it for itself', () => {
    const { at, queue, frame } = stage()
    let done = 0
    for (let each = 0; each < 8; each++) {
      queue.add(() => {
        at.now += 0.5
        done += 1
        return true
      })
    }
    frame(budget - 1)
    expect(done).toBe(2)
    frame(budget + 1)
    expect(done).toBe(2)
    frame(budget + 1)
    expect(done).toBe(4)
    frame()
    expect(done).toBe(8)
  })

  it('comes to each of several that are put in line again and again', () => {
    const { at, queue, frame } = stage()
    const drawn = [0, 0, 0]
    const waits = [false, false, false]
    for (let each = 0; each < 12; each++) {
      drawn.forEach((_, place) => {
        if (waits[place]) return
        waits[place] = true
        queue.add(() => {
          at.now += budget
          drawn[place] = (drawn[place] ?? 0) + 1
          waits[place] = false
          return true
        })
      })
      frame()
    }
    expect(drawn).toEqual([4, 4, 4])
  })

  it('goes on behind what throws', () => {
    const { queue, frame } = stage()
    let ran = false
    queue.add(() => {
      throw new Error('expected by the test')
    })
    queue.add(() => {
      ran = true
      return true
    })
    expect(frame).toThrow('expected by the test')
    frame()
    expect(ran).toBe(true)
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
