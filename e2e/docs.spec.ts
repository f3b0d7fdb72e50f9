// The module's documentation under the page: opens under the same strict policy, and
// belongs to no visit of the page.
import { existsSync } from 'node:fs'

import { expect, test } from '@playwright/test'

test('the documentation opens with its examples', async ({ page, baseURL }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // TypeDoc sets some styles inline, which the policy refuses and nobody misses; it has no icon.
    const isTypeDocs = /Applying inline style|status of 404/.test(message.text())
    if (message.type() === 'error' && !isTypeDocs) problems.push(message.text())
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
