// Opens a chapter in a language: its words, the frame's words and its code arrive together and are
// shown together. What does not come is told to the page, which keeps what it has: the chapter in
// the language it was in, or in another one, or a line that says which chapter is missing.
import { chapterOf, type OpenChapter } from '../chapters/registry'
import { inOrderOf, loadFrame, messages } from '../i18n/messages.svelte'
import type { ChapterId, Language } from '../state/view'

interface Page {
  id: ChapterId
  language: Language
  chapter: OpenChapter
  /** Puts the words on screen. */
  show: () => void
}

interface Failure {
  /** The chapter is missing, or there in another language than the wanted one. */
  missing: 'chapter' | 'language'
  id: ChapterId
  language: Language
  /** The server did not answer when it was asked again. */
  unreachable: boolean
}

let page = $state.raw<Page | null>(null)
let failure = $state.raw<Failure | null>(null)
let latest: symbol

export const opened = {
  /** The chapter on screen; null until the first one is there, and while the wanted one is missing. */
  get chapter(): OpenChapter | null {
    return failure?.missing === 'chapter' ? null : (page?.chapter ?? null)
  },
  get failure(): Failure | null {
    return failure
  },
}

async function load(id: ChapterId, language: Language): Promise<Page> {
  const [chapter, showFrame] = await Promise.all([
    chapterOf(id).open(language),
    loadFrame(language),
  ])
  const show = (): void => {
    showFrame()
    chapter.show()
  }
  return { id, language, chapter, show }
}

/** The page in the first of these languages in which it comes, or null. */
async function loadFirst(id: ChapterId, languages: readonly Language[]): Promise<Page | null> {
  for (const language of languages) {
    try {
      return await load(id, language)
    } catch {
      // The next language may be in the browser's cache, or come.
    }
  }
  return null
}

/** Opens a chapter; of several calls the last one wins. Never rejects. */
export async function openPage(id: ChapterId, language: Language): Promise<void> {
  const call = Symbol(id)
  latest = call
  // What is on screen already is better than the same chapter in a language nobody asked for.
  const languages = page?.id === id ? [language] : inOrderOf(language)
  const loaded = await loadFirst(id, languages)
  if (latest !== call) return
  if (loaded) show(loaded)
  if (loaded?.language === language) failure = null
  else {
    const missing = page?.id === id ? 'language' : 'chapter'
    failure = { missing, id, language, unreachable: false }
  }
}

function show(next: Page): void {
  const moved = page !== null && page.id !== next.id
  next.show()
  page = next
  if (moved) scrollTo(0, 0)
  document.title = `${next.chapter.title} · ${messages.frame.name}`
}

/**
 * Once more what did not come. A browser may remember that an import failed, or a new version of
 * the site may have replaced the file; then the page is loaded again, which keeps its state, for
 * that is in the address. A page that cannot be loaded again is better kept.
 */
export async function openAgain(): Promise<void> {
  const before = opened.failure
  if (!before) return
  await openPage(before.id, before.language)
  await reloadIfStill(() => opened.failure !== null)
  const after = opened.failure
  if (after) failure = { ...after, unreachable: true }
}

/** Loads the page again when something is still missing and the server answers. */
export async function reloadIfStill(isMissing: () => boolean): Promise<void> {
  if (!isMissing()) return
  try {
    const address = location.href.replace(/#.*/s, '')
    const answer = await fetch(address, { method: 'HEAD', cache: 'no-store' })
    if (answer.ok && isMissing()) location.reload()
  } catch {
    // No answer: what is on screen stays.
  }
}
