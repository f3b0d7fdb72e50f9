// Saves or copies a figure in one of the forms that figures have.
import type { Scene } from '../figures/scene'
import { scenePng } from './png'
import { copyImage, fileName, saveFile } from './save'
import { sceneSvg } from './svg'
import { tableCsv, tableJson, type DataTable } from './table'

export type FigureForm = 'copy' | 'svg' | 'png' | 'csv' | 'json'

/** Returns the name of the file, or null for the clipboard. */
export async function saveFigure(
  form: FigureForm,
  what: string,
  text: string,
  scene: () => Scene | Promise<Scene>,
  data: () => DataTable | Promise<DataTable>,
): Promise<string | null> {
  if (form === 'copy') {
    await copyImage(Promise.resolve(scene()).then(scenePng))
    return null
  }
  const name = fileName(what, text, form)
  switch (form) {
    case 'svg':
      saveFile(name, sceneSvg(await scene(), (await data()).header), 'image/svg+xml')
      break
    case 'png':
      saveFile(name, await scenePng(await scene()))
      break
    case 'csv':
      // The mark in front tells spreadsheets that this is UTF-8.
      saveFile(name, `\uFEFF${tableCsv(await data())}`, 'text/csv')
      break
    case 'json':
      saveFile(name, tableJson(await data()), 'application/json')
      break
  }
  return name
}
