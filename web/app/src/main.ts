// Starts the page. The Worker, its kernels and the model are asked for first: they arrive while the
// page is painted.
import { mount } from 'svelte'
import { chapterOf } from './chapters/registry'
import App from './frame/App.svelte'
import { showLanguage } from './i18n/messages.svelte'
import { modelNames, openModel } from './runtime/session.svelte'
import { applyTheme } from './state/theme.svelte'
import { connectAddress, view } from './state/view.svelte'
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

const page = document.getElementById('page')
if (!page) throw new Error('index.html: expected an element with the id "page"')
await showLanguage(language)
mount(App, { target: page })
