// Everything can be reached and done without a pointer.
import { expect, test } from './explainer'

test('from the top of the page to a cell of a head, and back', async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the chapter' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()

  const reached = new Set<string>()
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab')
    const at = page.locator(':focus')
    const id = (await at.getAttribute('data-place')) ?? (await at.getAttribute('data-head'))
    reached.add((await at.getAttribute('id')) ?? id ?? (await at.getAttribute('role')) ?? '')
    if ((await at.getAttribute('role')) === 'application') break
  }
  for (const stop of ['sentence', '8', '3.1', 'application']) expect([...reached]).toContain(stop)
})

test('tokens: arrows move, Enter fixes', async ({ explainer }) => {
  await explainer.openWhole()
  await explainer.chips.nth(8).focus()
  await explainer.page.keyboard.press('ArrowLeft')
  await explainer.page.keyboard.press('ArrowLeft')
  await expect(explainer.chips.nth(6)).toBeFocused()
  await explainer.page.keyboard.press('Enter')
  await expect(explainer.chips.nth(6)).toHaveAttribute('aria-pressed', 'true')
  await explainer.page.keyboard.press('End')
  await expect(explainer.chips.nth(11)).toBeFocused()
})

test('heads: arrows move, Enter opens the map, Escape comes back', async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  await explainer.head('3.1').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(explainer.head('4.2')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#look-opened-title')).toHaveText('Head 4.2')
  const map = page.getByRole('application')
  await expect(map).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByTestId('readout')).toContainText('because →')
  await page.keyboard.press('Home')
  await expect(page.getByTestId('readout')).toContainText('because → [CLS]')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/token=7&key=0/)
  await page.keyboard.press('Escape')
  await expect(explainer.head('4.2')).toBeFocused()
})

test('menus and dialogs: open, choose, close, and give the focus back', async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  const theme = page.getByRole('button', { name: 'Theme' })
  await theme.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'As the system' })).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(theme).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(theme).toBeFocused()

  const model = page.getByRole('button', { name: /MiniLM-L6/ })
  await model.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Apache-2.0')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(model).toBeFocused()
})
