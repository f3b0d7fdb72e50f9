// Work on the page's own thread that can be done in small pieces: only as many are begun in a frame as
// a few milliseconds allow, so that scrolling, typing and scrubbing never wait for it.

/** Does one small piece; true when nothing is left to do. */
export type Piece = () => boolean

/** Milliseconds of a frame after which no further piece is begun, whoever has used them. */
export const budget = 3
/** Milliseconds that pieces have at least, where it is their turn. */
const least = 1

/** When to go on and what time it is; tests have their own. */
export interface Clock {
  now: () => number
  /** Goes on in the next frame, with the time at which that began. */
  next: (go: (began: number) => void) => void
}

export class FrameQueue {
  readonly #clock: Clock
  #jobs: Piece[] = []
  #asked = false
  #passed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Puts work in line; the result takes it out again. */
  add(piece: Piece): () => void {
    this.#jobs.push(piece)
    this.#ask()
    return () => {
      this.#drop(piece)
    }
  }

  #ask(): void {
    if (this.#asked) return
    this.#asked = true
    this.#clock.next((began) => {
      this.#asked = false
      // A frame that others have filled is left alone, but never two in a row.
      this.#passed = !this.#passed && this.#clock.now() - began > budget
      if (this.#passed) this.#ask()
      else this.#run(began + budget)
    })
  }

  #run(full: number): void {
    const end = Math.max(full, this.#clock.now() + least)
    let job: Piece | undefined
    let isDone = false
    try {
      do {
        job = this.#jobs[0]
        // What throws is done with: it does not hold up the others.
        isDone = true
        isDone = job?.() ?? true
        if (isDone) this.#drop(job)
      } while (this.#jobs.length > 0 && this.#clock.now() < end)
    } finally {
      if (isDone) this.#drop(job)
      // Nobody waits behind long work: it goes to the end of the line.
      else this.#jobs.push(...this.#jobs.splice(0, 1))
      if (this.#jobs.length > 0) this.#ask()
    }
  }

  #drop(job: Piece | undefined): void {
    this.#jobs = this.#jobs.filter((each) => each !== job)
  }
}

const queue = new FrameQueue({
  now: () => performance.now(),
  next: (go) => requestAnimationFrame(go),
})

/** A small thing to do in one of the next frames. */
export interface Turn {
  /** Puts it in line; however often it is asked for, it is done once and keeps its place. */
  ask: () => void
  /** Takes it out of line, for good. */
  leave: () => void
}

export function inTurn(work: () => void): Turn {
  let drop: (() => void) | undefined
  return {
    ask: () => {
      drop ??= queue.add(() => {
        drop = undefined
        work()
        return true
      })
    },
    leave: () => drop?.(),
  }
}

/** Runs `work` piece by piece, a piece from one `yield` to the next; rejects when aborted. */
export function inPieces<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    queue.add(() => {
      try {
        signal.throwIfAborted()
        const { done, value } = work.next()
        if (done === true) resolve(value)
        return done === true
      } catch (reason) {
        reject(reason instanceof Error ? reason : new Error(String(reason)))
        return true
      }
    })
  })
}
