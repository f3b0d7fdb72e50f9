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

let current = $state.raw<View>(parseAddress(location.hash, preferredLanguage()))

/** The view; read it in components, change it with `change`. */
export const view = {
  get current(): View {
    return current
  },
}

/** A step that "back" undoes, or a change that belongs to the step before it (typing). */
export type Step = 'push' | 'replace'

export function change(part: Partial<View>, step: Step = 'push'): void {
  const next = { ...current, ...part }
  const address = formatAddress(next)
  const moved = address !== location.hash
  current = next
  remember('language', next.language)
  if (!moved) return
  if (step === 'push') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
}

/** The whole link to a view, to be shared. */
export function linkTo(target: View): string {
  return location.href.replace(/#.*/s, '') + formatAddress(target)
}

function follow(): void {
  current = parseAddress(location.hash, current.language)
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
  tidy()
}
