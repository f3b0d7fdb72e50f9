// The view as reactive state, mirrored in the address. Data flows one way: whoever wants a change
// calls `change`, the address follows, and the browser's back and forward come in as a new view.
import { formatAddress, languages, parseAddress, type Language, type View } from './view'
import { recall, remember } from './storage'

/** The language of the last visit, else the first of the browser's languages that there is. */
function preferredLanguage(): Language {
  const wanted = [recall('language'), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  const known = wanted.find((tag) => languages.some((language) => language === tag))
  return languages.find((language) => language === known) ?? 'en'
}

/** One part of the view. Whoever reads it runs again when it changes, and not when another does. */
class Part<T> {
  value: T
  constructor(value: T) {
    this.value = $state.raw(value)
  }
}

type Parts = { [Name in keyof View]: Part<View[Name]> }

function partsOf(whole: View): Parts {
  const named = Object.entries(whole).map(([name, value]) => [name, new Part<unknown>(value)])
  return Object.fromEntries(named) as Parts
}

const parts = partsOf(parseAddress(location.hash, preferredLanguage()))
const current = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      { enumerable: true, get: () => part.value },
    ]),
  ),
) as View

/** The view; read it in components, change it with `change`. */
export const view: { readonly current: Readonly<View> } = { current }

function set(changed: Partial<View>): void {
  for (const [name, value] of Object.entries(changed)) {
    const part: Part<unknown> = parts[name as keyof View]
    part.value = value
  }
}

/** A step that "back" undoes, or a change that belongs to the step before it (typing). */
export type Step = 'push' | 'replace'

/**
 * Milliseconds. A slider changes the view with every frame; browsers take far fewer addresses, and
 * each costs as much as a figure: it is written when the slider rests or is let go.
 */
const rest = 200
let pending: ReturnType<typeof setTimeout> | undefined

export function change(part: Partial<View>, step: Step = 'push'): void {
  const { language } = current
  if (step === 'push') settle()
  set(part)
  if (current.language !== language) remember('language', current.language)
  if (step === 'replace') {
    clearTimeout(pending)
    pending = setTimeout(settle, rest)
    return
  }
  const address = formatAddress(current)
  if (address !== location.hash) history.pushState(null, '', address)
}

/** Writes what has been replaced since the address was written. */
function settle(): void {
  if (pending === undefined) return
  forget()
  tidy()
}

function forget(): void {
  clearTimeout(pending)
  pending = undefined
}

/** The whole link to a view, to be shared. */
export function linkTo(target: View): string {
  return location.href.replace(/#.*/s, '') + formatAddress(target)
}

function follow(): void {
  forget()
  set(parseAddress(location.hash, current.language))
  remember('language', current.language)
  tidy()
}

/** What made no sense in the address gives way to what is shown. */
function tidy(): void {
  const address = formatAddress(current)
  if (address !== location.hash) history.replaceState(null, '', address)
}

/** Listens to the browser; call once. */
export function connectAddress(): void {
  addEventListener('popstate', follow)
  addEventListener('hashchange', follow)
  addEventListener('pagehide', settle)
  addEventListener('pointerup', settle)
  remember('language', current.language)
  tidy()
}
