// The script of a helper thread of the build `threads-relaxed`; see thread.ts.
import '../wasm/headwise-threads-relaxed.js'
import { sayReady } from './ready.js'

sayReady()
