// Starts the page. The Worker, its kernels and the model are asked for first: they arrive while the
// page is painted.
import { mount } from 'svelte'
import { chapterOf } from './chapters/registry'
import App from './frame/App.svelte'
import { showStartFailure } from './frame/start-failure'
import { inOrderOf, loadFrame } from './i18n/messages.svelte'
import { modelNames, openModel } from './runtime/session.svelte'
import { applyTheme } from './state/theme.svelte'
import { connectAddress, view } from './state/view.svelte'
import type { Language } from './state/view'
import './styles/base.css'
import './styles/chapter.css'

openModel(modelNames[0]).catch(() => {
  // What went wrong is part of the session's state; the page shows it.
})
applyTheme()
connectAddress()

// The chapter is fetched beside the frame's words, not after them; the frame asks for it again.
const { chapter, language } = view.current
chapterOf(chapter)
  .open(language)
  .catch(() => undefined)

/** The words of the frame, in another language where the wanted one does not come. */
async function anyFrame(wanted: Language): Promise<(() => void) | null> {
  for (const each of inOrderOf(wanted)) {
    const show = await loadFrame(each).catch(() => null)
    if (show) return show
  }
  return null
}

const page = document.getElementById('page')
if (!page) throw new Error('index.html: expected an element with the id "page"')
const showFrame = await anyFrame(language)
if (showFrame) {
  showFrame()
  page.replaceChildren()
  mount(App, { target: page })
} else {
  showStartFailure(page)
}
