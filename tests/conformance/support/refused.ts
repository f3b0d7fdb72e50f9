// Calls that must be refused, and what the refusal must say.
import { HeadwiseError } from 'headwise'
import { expect } from 'vitest'

/** The call fails with the library's error, whose message contains all of `words`. */
export async function expectRefused(
  call: () => unknown,
  words: readonly string[],
): Promise<HeadwiseError> {
  let error: unknown
  try {
    await call()
  } catch (thrown) {
    error = thrown
  }
  expect(error, 'the call is refused').toBeInstanceOf(HeadwiseError)
  const { message, code } = error as HeadwiseError
  for (const word of words) expect(message).toContain(word)
  expect(code).not.toBe('INTERNAL')
  return error as HeadwiseError
}
