// The texts that a release changes: version numbers, and the head of the changelog.

import { PlainError } from './say.mjs'

const form = /^(\d+)\.(\d+)\.(\d+)$/

/**
 * Refuses what is no version, or not later than the one before.
 *
 * @param {string | undefined} version
 * @param {string} before
 */
export function checkVersion(version, before) {
  const [now, then] = [version, before].map((text) =>
    form
      .exec(text ?? '')
      ?.slice(1)
      .map(Number),
  )
  if (!now) throw new PlainError(`a version is three numbers such as 1.2.3, not '${version}'`)
  const first = now.findIndex((part, i) => part !== then[i])
  if (first < 0 || now[first] < then[first]) {
    throw new PlainError(`version ${version} is not later than ${before}`)
  }
}

/** Replaces the one place where `pattern` occurs. */
function replaceOnce(text, pattern, replacement, what) {
  if (!pattern.test(text)) throw new PlainError(`${what} is not as the release script knows it`)
  return text.replace(pattern, replacement)
}

/**
 * The source that tells the version, or a package.json, with another one.
 *
 * @param {string} text
 * @param {string} version
 * @returns {string}
 */
export function withVersion(text, version) {
  const pattern = /(\bversion(?:" *: *"| = '))\d+\.\d+\.\d+/
  return replaceOnce(text, pattern, `$1${version}`, 'the place of the version')
}

/**
 * What is said under "Unreleased".
 *
 * @param {string} changelog
 * @returns {string}
 */
export function unreleased(changelog) {
  return /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog)?.[1].trim() ?? ''
}

/**
 * The changelog with its unreleased part under the version and the day.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {string} day
 * @returns {string}
 */
export function withRelease(changelog, version, day) {
  if (unreleased(changelog) === '') {
    throw new PlainError('CHANGELOG.md says nothing under "## Unreleased": write what has changed')
  }
  return replaceOnce(
    changelog,
    /^## Unreleased\n/m,
    `## Unreleased\n\n## ${version} - ${day}\n`,
    'CHANGELOG.md',
  )
}
