// All that loading a model and running it needs: fetched when the first model is asked for.
export { loadResolved } from './load-model.js'
export { CoreModel } from './model.js'
