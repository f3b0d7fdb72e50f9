// Changes to a model's files: to single bytes, and to what JSON means, in config.json, tokenizer.json
// and the header of the weights.

import { putTogether, takeApart } from './safetensors.mjs'

const patterns = ['(', '', '.', '\\p{L}+', '(?=.)', '[^a]*', '(?P<x>a)', '\\s|$', 'a{0}', '\\']
const words = ['', '__proto__', 'constructor', 'toString', 'F32', 'I8', 'F16', 'BF16', 'Sequence']
const types = ['Replace', 'Split', 'Prepend', 'ByteLevel', 'Metaspace', 'BPE', 'Unigram', 'NFKC']
const lengths = ['FixedLength', 'Digits', 'Strip', 'TemplateProcessing', 'BertProcessing']
const numbers = [0, -1, 1, 1.5, 2, 7, 255, 1024, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e300]

function anyValue(random, depth = 0) {
  switch (random.below(depth > 3 ? 6 : 9)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
    case 3:
      return random.of(numbers)
    case 4:
      return random.of([...words, ...types, ...lengths, ...patterns])
    case 5:
      return random.of(['x', 'é', '🙂', '\ud800', '\u0000']).repeat(random.of([1, 3, 200]))
    case 6:
      return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1))
    case 7:
      return { type: random.of([...types, ...lengths]), [random.of(words)]: anyValue(random, 9) }
    default:
      return { [random.of(['Regex', 'String'])]: random.of(patterns) }
  }
}

/** A place in a value, [holder, key], found from level to level: a long list counts as one entry. */
function placeIn(holder, random) {
  for (;;) {
    const key = random.of(Object.keys(holder))
    const inner = holder[key]
    const hasPlaces = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0
    if (!hasPlaces || random.chance(0.2)) return [holder, key]
    holder = inner
  }
}

function changeOnce(value, random) {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return anyValue(random)
  }
  const [holder, key] = placeIn(value, random)
  const old = holder[key]
  const [otherHolder, otherKey] = placeIn(value, random)
  switch (random.below(8)) {
    case 0:
      delete holder[key]
      break
    case 1:
    case 2:
      holder[key] = anyValue(random)
      break
    case 3:
      if (typeof old === 'number') holder[key] = old + random.of([-4, -1, 0.5, 1, 4, old])
      else
        holder[key] =
          otherHolder[otherKey] === holder ? null : structuredClone(otherHolder[otherKey])
      break
    case 4:
      Object.defineProperty(holder, random.of(words), {
        value: structuredClone(old),
        enumerable: true,
        configurable: true,
        writable: true,
      })
      break
    case 5:
      holder[key] = random.chance(0.5) ? [old] : { ...(Object(old) === old ? old : { old }) }
      break
    case 6:
      holder[key] = structuredClone(otherHolder[otherKey])
      break
    default:
      if (Array.isArray(old) && old.length > 0) old.push(structuredClone(random.of(old)))
      else if (typeof old === 'string') holder[key] = old + random.of(['\u0000', 'x', 'é', '.*'])
      else holder[key] = JSON.stringify(old)
  }
  return value
}

function changeJson(text, random) {
  let value = JSON.parse(text)
  for (let times = 1 + random.below(3); times > 0; times--) value = changeOnce(value, random)
  const changed = JSON.stringify(value) ?? 'null'
  return random.chance(0.05) ? doubled(changed, random) : changed
}

/** A name that stands twice, which JSON.stringify cannot write. */
function doubled(text, random) {
  const at = text.indexOf('{', random.below(text.length))
  return at < 0 ? text : `${text.slice(0, at + 1)}"type":null,"shape":[],${text.slice(at + 1)}`
}

function changeBytes(file, random) {
  let bytes = Array.from(file)
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(bytes.length + 1)
    switch (random.below(6)) {
      case 0:
        bytes[at] = random.below(256)
        break
      case 1:
        bytes = bytes.slice(0, at)
        break
      case 2:
        bytes.splice(at, random.below(8))
        break
      case 3:
        bytes.splice(at, 0, ...Array.from({ length: random.below(8) }, () => random.below(256)))
        break
      case 4:
        bytes.splice(at, 0, ...bytes.slice(at, at + random.below(64)))
        break
      default:
        if (at < bytes.length) bytes[at] ^= 1 << random.below(8)
    }
  }
  return Uint8Array.from(bytes, (byte) => byte ?? 0)
}

function changeHeader(file, random) {
  const { header, data } = takeApart(file)
  const changed = changeJson(header, random)
  const length = random.chance(0.1) ? BigInt(random.of([0, 1, 8, 1e3, 1e9, 2 ** 53])) : undefined
  return putTogether(changed, random.chance(0.1) ? changeBytes(data, random) : data, length)
}

/** A model with one of its files changed. */
export function mutate(model, random) {
  const name = random.of(['config.json', 'tokenizer.json', 'model.safetensors'])
  const file = model[name]
  let changed
  if (random.chance(0.3)) changed = changeBytes(file, random)
  else if (name === 'model.safetensors') changed = changeHeader(file, random)
  else changed = new TextEncoder().encode(changeJson(new TextDecoder().decode(file), random))
  return { name, files: { ...model, [name]: changed } }
}
