// Arguments of models: what only JavaScript can get wrong.
import { invalidArgument } from '../errors.js'
import type { GenerateOptions } from '../types/generation.js'
import type { HubOptions, LoadModelOptions } from '../types/loading.js'
import type { EmbedOptions, Intervention, RunOptions } from '../types/model.js'
import type { CallOptions } from '../types/runtime.js'
import { describe } from './describe.js'
import { checkDeviation, checkInteger, checkIntegers, checkSize } from './numbers.js'
import {
  callOptionNames,
  checkBoolean,
  checkCallOptions,
  checkChoice,
  checkFunction,
  checkOptions,
  checkRequiredOptions,
} from './options.js'
import { checkTensor } from './tensor.js'

export function checkLoadOptions(options: LoadModelOptions): void {
  const names = [
    'signal',
    'onProgress',
    'dtype',
    'streaming',
    'onLoaded',
    'revision',
    'hub',
    'cache',
  ]
  checkOptions(options, 'options', names)
  checkCallOptions({ signal: options.signal })
  checkFunction(options.onProgress, 'onProgress')
  checkFunction(options.onLoaded, 'onLoaded')
  checkChoice(options.dtype, 'dtype', ['auto', 'float32', 'int8'])
  checkBoolean(options.streaming, 'streaming')
  checkText(options.revision, 'revision')
  checkHubOptions(options.hub)
  if (typeof options.cache === 'string') checkText(options.cache, 'cache')
  else checkBoolean(options.cache, 'cache')
}

function checkHubOptions(hub: HubOptions | undefined): void {
  checkOptions(hub, 'hub', ['endpoint', 'token', 'fetch'])
  if (hub === undefined) return
  checkFunction(hub.fetch, 'hub.fetch')
  checkText(hub.token, 'hub.token')
  // What no header can hold would fail at every file.
  if (hub.token !== undefined && !/^[\x21-\x7e]+$/.test(hub.token)) {
    throw invalidArgument('hub.token', 'printable characters without blanks', 'others')
  }
  const { endpoint } = hub
  if (endpoint === undefined) return
  const url = URL.canParse(String(endpoint)) ? new URL(endpoint) : undefined
  if (!/^https?:$/.test(url?.protocol ?? '') || url?.search !== '' || url.hash !== '') {
    throw invalidArgument('hub.endpoint', 'an http(s) URL without ? and #', describe(endpoint))
  }
}

function checkText(value: unknown, argument: string): void {
  if (value === undefined || (typeof value === 'string' && value.trim() !== '')) return
  throw invalidArgument(argument, 'a text', describe(value))
}

export function checkRunOptions(options: RunOptions): void {
  const names = ['names', 'interventions', 'stopAtLayer', 'output', 'decoderIds']
  checkOptions(options, 'options', [...names, ...callOptionNames])
  checkCallOptions(options)
  if (options.output !== 'hidden') checkBoolean(options.output, 'output')
  checkIntegers(options.decoderIds, 'decoderIds')
  if (options.stopAtLayer !== undefined) checkSize(options.stopAtLayer, 'stopAtLayer', 0)
  checkStrings(options.names, 'names')
  options.names?.forEach((name, index) => checkName(name, `names[${index}]`))
  const { interventions } = options
  if (interventions === undefined) return
  if (!Array.isArray(interventions)) {
    throw invalidArgument('interventions', 'an array', describe(interventions))
  }
  for (const [index, one] of (interventions as Intervention[]).entries()) {
    checkIntervention(one, `interventions[${index}]`)
  }
}

function checkIntervention(one: Intervention, argument: string): void {
  checkRequiredOptions(one, argument, ['name', 'head', 'set'])
  checkName(one.name, `${argument}.name`)
  checkInteger(one.head, `${argument}.head`)
  const { set }: { set: unknown } = one
  if (set === 'zero') return
  const expected = "'zero', a tensor, { mean }, { noise, seed } or { shuffle }"
  if (typeof set !== 'object' || set === null) {
    throw invalidArgument(`${argument}.set`, expected, describe(set))
  }
  if ('mean' in set) {
    checkOptions(set, `${argument}.set`, ['mean'])
    checkTensor(set.mean, `${argument}.set.mean`)
  } else if ('noise' in set) {
    checkOptions(set, `${argument}.set`, ['noise', 'seed'])
    checkDeviation(set.noise, `${argument}.set.noise`)
    checkInteger('seed' in set ? set.seed : undefined, `${argument}.set.seed`)
  } else if ('shuffle' in set) {
    checkOptions(set, `${argument}.set`, ['shuffle'])
    checkSize(set.shuffle, `${argument}.set.shuffle`, 0)
  } else if ('data' in set) checkTensor(set, `${argument}.set`)
  else throw invalidArgument(`${argument}.set`, expected, describe(set))
}

/** The name of an activation, or a pattern; one line, as lists of names cross to C++ in lines. */
function checkName(name: unknown, argument: string): void {
  if (typeof name === 'string' && name !== '' && !name.includes('\n')) return
  throw invalidArgument(argument, 'the name of an activation', describe(name))
}

export function checkEmbedOptions(texts: unknown, options: EmbedOptions): void {
  checkStrings(texts ?? null, 'texts')
  checkOptions(options, 'options', ['pooling', 'normalize', ...callOptionNames])
  checkCallOptions(options)
  checkChoice(options.pooling, 'pooling', ['mean', 'cls'])
  checkBoolean(options.normalize, 'normalize')
}

const generateOptionNames = [
  'maxTokens',
  'temperature',
  'topK',
  'topP',
  'seed',
  'stop',
  'decoderIds',
  'candidates',
  'cache',
  'signal',
]

export function checkGenerateOptions(prompt: unknown, options: GenerateOptions): void {
  if (typeof prompt !== 'string') checkIntegers(prompt ?? null, 'prompt')
  checkOptions(options, 'options', generateOptionNames)
  checkCallOptions({ signal: options.signal })
  const { maxTokens, temperature, topK, topP, seed, stop, decoderIds, candidates, cache } = options
  if (maxTokens !== undefined) checkSize(maxTokens, 'maxTokens')
  if (topK !== undefined) checkSize(topK, 'topK')
  if (seed !== undefined) checkSize(seed, 'seed', 0)
  if (decoderIds !== undefined) checkIntegers(decoderIds, 'decoderIds')
  if (candidates !== undefined) checkSize(candidates, 'candidates', 0)
  checkBoolean(cache, 'cache')
  const range = (value: number | undefined, name: string, most: number) => {
    if (value === undefined || (value >= 0 && value <= most && Number.isFinite(value))) return
    const expected = most === 1 ? 'a number from 0 to 1' : 'a finite number of 0 or more'
    throw invalidArgument(name, expected, describe(value))
  }
  range(temperature, 'temperature', Infinity)
  range(topP, 'topP', 1)
  const stops = typeof stop === 'string' ? [stop] : stop
  checkStrings(stops, 'stop')
  if (stops?.includes('') === true) throw invalidArgument('stop', 'a text', "''")
}

export function checkWeightOptions(options: CallOptions): void {
  checkOptions(options, 'options', callOptionNames)
  checkCallOptions(options)
}

export function checkStrings(value: unknown, argument: string): void {
  if (value === undefined) return
  if (!Array.isArray(value)) throw invalidArgument(argument, 'an array of strings', describe(value))
  for (const [index, item] of (value as unknown[]).entries()) {
    if (typeof item !== 'string') {
      throw invalidArgument(`${argument}[${index}]`, 'a string', describe(item))
    }
  }
}
