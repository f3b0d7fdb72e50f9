// The one error type of both entrances, and how it crosses to and from a Worker.

/** Stable codes: what kind of thing went wrong. */
export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'UNSUPPORTED'
  | 'OUT_OF_MEMORY'
  | 'NETWORK'
  | 'CORRUPT_FILE'
  | 'DISPOSED'
  | 'WORKER_LOST'
  | 'INTERNAL'

/** The facts of an error, plain enough to be posted. */
export interface ErrorFacts {
  code: ErrorCode
  /** The argument, option or file at fault. */
  argument: string
  /** What would have been accepted. */
  expected: string
  /** What came instead. */
  received: string
}

/** Every failure of this package except an abort, which throws the signal's own reason. */
export class HeadwiseError extends Error implements ErrorFacts {
  readonly code: ErrorCode
  readonly argument: string
  readonly expected: string
  readonly received: string

  constructor(facts: ErrorFacts, options?: ErrorOptions) {
    super(`${facts.argument}: expected ${facts.expected}; received ${facts.received}`, options)
    this.name = 'HeadwiseError'
    this.code = facts.code
    this.argument = facts.argument
    this.expected = facts.expected
    this.received = facts.received
  }
}

/** An `INVALID_ARGUMENT` error, the commonest. */
export function invalidArgument(
  argument: string,
  expected: string,
  received: string,
): HeadwiseError {
  return new HeadwiseError({ code: 'INVALID_ARGUMENT', argument, expected, received })
}

/** A `CORRUPT_FILE` error: a file, or a tensor in it, that is not what it has to be. */
export function corruptFile(file: string, expected: string, received: string): HeadwiseError {
  return new HeadwiseError({ code: 'CORRUPT_FILE', argument: file, expected, received })
}

/** A `DISPOSED` error for a handle or runtime that is used after its end. */
export function disposedError(what: string): HeadwiseError {
  return new HeadwiseError({
    code: 'DISPOSED',
    argument: what,
    expected: `a ${what} in use`,
    received: 'one that is disposed',
  })
}
