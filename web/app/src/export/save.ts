// Hands a file to the reader, or an image to the clipboard.

export function saveFile(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The browser reads the blob after the click; a minute is enough for any of them.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 60_000)
}

/** Takes the promise itself: Safari wants the clipboard item made while the click is being handled. */
export function copyImage(image: Promise<Blob>): Promise<void> {
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': image })])
}

/** `headwise-3.1-the-cat-sat.csv`: letters and digits of any script, nothing a file system minds. */
export function fileName(what: string, text: string, extension: string): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? []
  const start = words.slice(0, 5).join('-').toLowerCase().slice(0, 40)
  return ['headwise', what, start].filter((each) => each !== '').join('-') + `.${extension}`
}
