// The script of a helper thread: Emscripten's own code answers its messages.
import '../wasm/headwise-threads.js'
import { sayReady } from './ready.js'

sayReady()
