// The script of a helper thread of the build `threads`: Emscripten's own code answers its messages.
import '../wasm/headwise-threads.js'
import { sayReady } from './ready.js'

sayReady()
