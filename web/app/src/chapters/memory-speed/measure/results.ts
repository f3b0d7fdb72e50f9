// What is measured on the reader's device, as the Worker reports it.
import type { Build } from 'headwise'
import type { Limits } from '../../../limits/limits'
import type { Spread } from './timing'

/** All heads in one product, or each by itself. */
export interface LoopsResult {
  build: Build
  lines: readonly {
    length: number
    together: Spread
    looped: Spread
    /** Between the two outputs, relative to the largest number of them. */
    difference: number
  }[]
}

/** Attention against a recurrent layer of the same width. */
export interface DepthResult {
  build: Build
  /** Of the attention with threads; 1 where there are none. */
  threads: number
  lines: readonly {
    length: number
    recurrent: Spread
    attention: Spread
    /** With all threads; null where there is one. */
    parallel: Spread | null
  }[]
}

export type RoofPointId = 'mha' | 'gqa' | 'mqa' | 'prefill'

/** FLOP per byte and what speed came of it. */
export interface RoofResult {
  build: Build
  limits: Limits
  points: readonly {
    id: RoofPointId
    length: number
    kvHeads: number
    flops: number
    bytes: number
    time: Spread
  }[]
}

/** Bytes that the module's allocator held at most. */
export interface GrowthResult {
  build: Build
  lines: readonly { length: number; tiles: number; matrix: number }[]
}

export interface DeviceLine {
  build: Build
  threads: number
  time: Spread
}

export interface DeviceResult {
  /** Minutes are enough: 20261130T0512, in UTC. */
  date: string
  length: number
  limits: Limits
  lines: readonly DeviceLine[]
}

/** A build that could not be measured, and why: in a word that has a translation, or as it came. */
export interface Refused {
  build: Build
  reason: 'isolation' | 'instructions' | { message: string }
}

export interface Results {
  loops: LoopsResult
  depth: DepthResult
  roof: RoofResult
  growth: GrowthResult
  device: { result: DeviceResult; refused: readonly Refused[] }
}
export type JobName = keyof Results

/** What the Worker is asked. */
export interface Job {
  name: JobName
  /** Positions, for the benchmark of the device. */
  length: number
}

/** What the Worker answers. */
export type Answer =
  | { type: 'progress'; share: number }
  | { type: 'result'; value: Results[JobName] }
  | { type: 'failure'; message: string }

export type Report = (share: number) => void
