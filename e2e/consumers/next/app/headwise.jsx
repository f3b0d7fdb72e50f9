'use client'

// Rendered on the server too; computes once it is in the browser.
import { createRuntime } from 'headwise'
import { useEffect } from 'react'

import { show, task } from '../task.js'

export function Headwise() {
  useEffect(() => {
    void show(task(createRuntime, new URL('/model/', document.baseURI)))
  }, [])
  return <pre id="report" suppressHydrationWarning />
}
