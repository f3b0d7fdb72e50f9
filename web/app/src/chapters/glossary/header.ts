// The first lines of the files that chapter 15 saves.
import { version } from 'headwise'
import type { Header } from '../../export/table'
import { messages } from '../../i18n/messages.svelte'
import { linkTo, view } from '../../state/view.svelte'

export function fileHeader(): Header {
  return [
    ['chapter', messages.frame.chapterNames.glossary],
    ['headwise', version],
    ['link', linkTo(view.current)],
  ]
}
