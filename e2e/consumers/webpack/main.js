import { createRuntime } from 'headwise'
import { show, task } from './task.js'

void show(task(createRuntime, new URL('model/', document.baseURI)))
