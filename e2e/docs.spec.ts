// The module's documentation under the page: opens under the same strict policy, is searched, and
// belongs to no visit of the page.
import { existsSync } from 'node:fs'

import { expect, test } from '@playwright/test'

test('the documentation opens, follows links and is searched', async ({ page, baseURL }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  await page.goto(`${baseURL ?? ''}docs/index.html`)
  await expect(page.getByRole('heading', { name: 'headwise', level: 1 }).first()).toBeVisible()
  await page.goto(`${baseURL ?? ''}docs/functions/index.createRuntime.html`)
  await expect(page.getByText('Starts a runtime with a Worker of its own')).toBeVisible()
  await expect(page.getByText('simd 1').first()).toBeVisible()
  expect(problems).toEqual([])
})

test('the page itself needs none of it', async ({ page, baseURL }) => {
  expect(existsSync('web/app/dist/docs/index.html')).toBe(true)
  const fetched: string[] = []
  page.context().on('request', (request) => fetched.push(new URL(request.url()).pathname))
  await page.goto(baseURL ?? '')
  await expect(page.locator('h1')).toBeVisible()
  expect(fetched.filter((path) => path.startsWith('/docs/'))).toEqual([])
})
