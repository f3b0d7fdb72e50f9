// What sums up the whole maps of a reading (breadth, distance, weight on special tokens). Short texts
// are measured at once, long ones in small pieces when somebody asks: 512 tokens are some nineteen
// million cells.
import { profileOf, profileRows, type HeadProfile } from '../figures/measures'
import { specialsOf } from '../figures/tokens'
import { inPieces } from './frames'
import { headOf, type Reading } from './reading.svelte'

type Profiles = (HeadProfile | undefined)[]

/** By the patterns of a layer; replaced with every head that was measured, so that readers see it. */
let known = $state.raw({ byPattern: new WeakMap<Float32Array, Profiles>() })

/** Layers of up to so many cells are measured at once. */
const mostAtOnce = 40_000

let running = new AbortController()

function profilesOf(pattern: Float32Array): Profiles {
  const { byPattern } = known
  const profiles = byPattern.get(pattern) ?? []
  byPattern.set(pattern, profiles)
  return profiles
}

/** The profile of a head; null while it is not measured. */
export function profileIn(reading: Reading, layer: number, head: number): HeadProfile | null {
  const pattern = reading.patterns[layer]
  const map = headOf(reading, layer, head)
  if (!pattern || !map) return null
  const profiles = profilesOf(pattern)
  if (pattern.length <= mostAtOnce) profiles[head] ??= profileOf(map, specialsOf(reading.tokens))
  return profiles[head] ?? null
}

/** Heads whose map is there, and how many of them are measured. */
export function measuredShare(reading: Reading): { done: number; all: number } {
  const all = reading.patterns.length * reading.heads
  const done = reading.patterns.reduce(
    (sum, pattern) => sum + profilesOf(pattern).filter((each) => each).length,
    0,
  )
  return { done, all }
}

/** Measures the heads that are not measured yet; a newer call cancels an older one. */
export async function measureHeads(reading: Reading): Promise<void> {
  running.abort()
  running = new AbortController()
  const { signal } = running
  const specials = specialsOf(reading.tokens)
  for (const [layer, pattern] of reading.patterns.entries()) {
    for (let head = 0; head < reading.heads; head++) {
      const map = headOf(reading, layer, head)
      if (!map || profileIn(reading, layer, head)) continue
      profilesOf(pattern)[head] = await inPieces(profileRows(map, specials), signal)
      known = { ...known }
    }
  }
}
