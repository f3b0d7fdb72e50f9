/** What one thread of WebAssembly can do here at most: GFLOP/s and GB/s. */
export interface Limits {
  /** Absent where the engine has no relaxed SIMD. */
  relaxedMultiplyAdd?: number
  multiplyThenAdd: number
  memory: number
}

export interface LimitLoops {
  measure(milliseconds: number): Limits
}

export function openLimits(options?: { megabytes?: number }): Promise<LimitLoops>
