// Whether the lab's own sentences are in order: trees after Universal Dependencies, pronouns with
// their candidates, pairs that mean the same. What no program sees, a right label for the meaning, is
// read by eye; see web/app/src/data/README.md.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { root } from '../lib/paths.mjs'
import { say } from '../lib/say.mjs'

const nominal = ['NOUN', 'PROPN', 'PRON', 'NUM', 'DET', 'VERB']
const predicate = ['NOUN', 'PROPN', 'PRON', 'ADJ', 'VERB', 'ADV', 'NUM']

/** Every relation that the file may use, with the tags that its dependent may have. */
const tagsOf = {
  acl: ['VERB'],
  'acl:relcl': predicate,
  advcl: predicate,
  advmod: ['ADV', 'PART'],
  amod: ['ADJ'],
  appos: ['NOUN', 'PROPN'],
  aux: ['AUX'],
  'aux:pass': ['AUX'],
  case: ['ADP', 'PART'],
  cc: ['CCONJ'],
  'cc:preconj': ['CCONJ'],
  ccomp: predicate,
  compound: ['NOUN', 'PROPN', 'NUM'],
  'compound:prt': ['ADP'],
  conj: predicate,
  cop: ['AUX'],
  csubj: predicate,
  det: ['DET'],
  'det:predet': ['DET'],
  discourse: ['INTJ'],
  expl: ['PRON'],
  fixed: ['ADP', 'SCONJ'],
  flat: ['PROPN'],
  iobj: nominal,
  mark: ['SCONJ', 'PART'],
  nmod: nominal,
  'nmod:poss': ['PRON', 'NOUN', 'PROPN'],
  nsubj: nominal,
  'nsubj:pass': nominal,
  nummod: ['NUM'],
  obj: nominal,
  obl: nominal,
  'obl:agent': nominal,
  'obl:unmarked': ['NOUN'],
  punct: ['PUNCT'],
  root: predicate,
  vocative: ['PROPN'],
  xcomp: predicate,
}

/** Words that carry no dependents but the rest of a fixed expression. */
const functional = new Set(['aux', 'aux:pass', 'case', 'cc', 'cop', 'det', 'mark', 'punct'])

/** Tags that only one relation goes with. */
const relationOf = { PUNCT: 'punct', CCONJ: 'cc' }

const columns = 10

function parse(block, line) {
  const lines = block.split('\n')
  const comments = lines.filter((each) => each.startsWith('#'))
  const rows = lines.filter((each) => !each.startsWith('#')).map((each) => each.split('\t'))
  const comment = (name) =>
    comments
      .find((each) => each.startsWith(`# ${name} = `))
      ?.split(' = ')
      .slice(1)
      .join(' = ')
  const words = rows.map(([id, form, , tag, , , head, relation, , misc]) => ({
    id,
    form,
    tag,
    head: Number(head) - 1,
    relation,
    misc,
  }))
  return { line, rows, words, id: comment('sent_id'), text: comment('text') }
}

function* treeFaults({ words }) {
  const roots = words.filter(({ relation, head }) => relation === 'root' || head === -1)
  if (roots.length !== 1 || roots[0].relation !== 'root' || roots[0].head !== -1) yield 'one root'
  for (const [place, { head, form }] of words.entries()) {
    if (!Number.isInteger(head) || head < -1 || head >= words.length || head === place) {
      yield `${form}: a head among the words`
      return
    }
    let steps = 0
    for (let at = place; at !== -1 && steps <= words.length; at = words[at].head) steps++
    if (steps > words.length) yield `${form}: a path to the root`
  }
}

function* labelFaults({ words }) {
  const dependents = (place, ...relations) =>
    words.filter(({ head, relation }) => head === place && relations.includes(relation))
  for (const [place, { form, tag, relation, head }] of words.entries()) {
    const above = words[head]
    if (!tagsOf[relation]) yield `${form}: a known relation, not ${relation}`
    else if (!tagsOf[relation].includes(tag)) yield `${form}: ${relation} with a fitting tag`
    if (relationOf[tag] && !relation.startsWith(relationOf[tag])) yield `${form}: ${tag}`
    if (above && functional.has(above.relation) && relation !== 'fixed')
      yield `${form}: a head with a meaning of its own, not ${above.form}`
    if (relation === 'nsubj:pass' && dependents(head, 'aux:pass').length === 0)
      yield `${form}: a passive verb`
    if (relation === 'nsubj' && dependents(head, 'aux:pass').length > 0)
      yield `${form}: an active verb`
    if (relation === 'iobj' && dependents(head, 'obj', 'ccomp').length === 0)
      yield `${form}: an object beside it`
    if (relation === 'cop' && above?.tag === 'VERB') yield `${form}: a predicate without a verb`
    if (relation === 'conj' && head > place) yield `${form}: behind what it is joined to`
    if (dependents(place, 'nsubj', 'nsubj:pass').length > 1) yield `${form}: one subject`
    if (dependents(place, 'obj').length > 1) yield `${form}: one object`
    if (relation.startsWith('nmod') && !['NOUN', 'PROPN', 'PRON'].includes(above?.tag))
      yield `${form}: a noun to modify`
    if (relation.startsWith('obl') && ['NOUN', 'PROPN'].includes(above?.tag))
      yield `${form}: a verb or an adjective to modify`
  }
}

function* textFaults({ words, rows, text, id }) {
  if (rows.some((row) => row.length !== columns)) yield `${columns} columns`
  if (words.some((word, place) => word.id !== String(place + 1))) yield 'words counted from 1'
  if (!/^\d+$/.test(id ?? '')) yield 'a sent_id'
  const spaced = words.map(({ form, misc }) => form + (misc === 'SpaceAfter=No' ? '' : ' '))
  if (spaced.join('').trimEnd() !== text) yield 'a text of these words'
}

/** What is wrong with a treebank, a line of words each. */
export function treebankFaults(file) {
  const faults = []
  const seen = new Set()
  let line = 1
  for (const block of file.trimEnd().split('\n\n')) {
    const sentence = parse(block, line)
    const found = [
      ...textFaults(sentence),
      ...treeFaults(sentence),
      ...labelFaults(sentence),
      ...(seen.has(sentence.text) ? ['a sentence only once'] : []),
    ]
    seen.add(sentence.text)
    faults.push(...found.map((fault) => `line ${line}, "${sentence.text}": expected ${fault}`))
    line += block.split('\n').length + 1
  }
  return faults
}

/** The same of sentences with a marked pronoun, one a line. */
export function coreferenceFaults(file) {
  const seen = new Set()
  return file
    .trimEnd()
    .split('\n')
    .flatMap((text, place) => {
      const marks = [/\*\w+\*/g, /_\w+_/g, /\[\w+\]/g].map((mark) => [...text.matchAll(mark)])
      const [antecedent, other, pronoun] = marks.map(([first]) => first?.index)
      const faults = []
      if (marks.some((found) => found.length !== 1)) faults.push('every mark once')
      else if (antecedent > pronoun || other > pronoun) faults.push('both candidates before it')
      if (seen.has(text)) faults.push('a sentence only once')
      seen.add(text)
      return faults.map((fault) => `line ${place + 1}, "${text}": expected ${fault}`)
    })
}

/** The same of pairs, one a line. */
export function pairFaults(file) {
  const seen = new Set()
  return file
    .trimEnd()
    .split('\n')
    .flatMap((line, place) => {
      const texts = line.split('\t')
      const faults = []
      if (texts.length !== 2 || texts.some((text) => text.trim() !== text || text === ''))
        faults.push('two texts with a tab between them')
      if (texts.some((text) => seen.has(text)) || texts[0] === texts[1])
        faults.push('a sentence only once')
      for (const text of texts) seen.add(text)
      return faults.map((fault) => `line ${place + 1}, "${line}": expected ${fault}`)
    })
}

const withoutComments = (file) =>
  file
    .trimEnd()
    .split('\n')
    .map((line, place) => ({ line, number: place + 1 }))
    .filter(({ line }) => !line.startsWith('#'))

/** The same of an English sentence and its French translations, tabs between them, one a line. */
export function translationFaults(file) {
  const seen = new Set()
  return withoutComments(file).flatMap(({ line, number }) => {
    const [english, ...french] = line.split('\t')
    const faults = []
    if (french.length === 0) faults.push('a translation')
    if ([english, ...french].some((text) => text.trim() !== text || text === ''))
      faults.push('texts with a tab between them')
    if (new Set(french).size !== french.length || seen.has(english)) faults.push('a text only once')
    // French puts a space before these signs.
    if (french.some((text) => /[^\s][!?;:]/.test(text))) faults.push('a space before ! ? ; and :')
    seen.add(english)
    return faults.map((fault) => `line ${number}, "${line}": expected ${fault}`)
  })
}

/** The same of passages, one a line. */
export function passageFaults(file) {
  const seen = new Set()
  return withoutComments(file).flatMap(({ line, number }) => {
    const faults = []
    if (!/^\S.*[.?!"]$/.test(line)) faults.push('whole sentences')
    if (seen.has(line)) faults.push('a passage only once')
    seen.add(line)
    return faults.map((fault) => `line ${number}, "${line}": expected ${fault}`)
  })
}

const checks = [
  ['sentences.conllu', treebankFaults],
  ['coreference.txt', coreferenceFaults],
  ['pairs.tsv', pairFaults],
  ['translations.tsv', translationFaults],
  ['passages.txt', passageFaults],
]

/** Prints what is wrong; true where nothing is. */
export function checkLabData() {
  const faults = checks.flatMap(([name, faultsOf]) => {
    const file = readFileSync(path.join(root, 'web/app/src/data', name), 'utf8')
    return faultsOf(file).map((fault) => `${name}, ${fault}`)
  })
  for (const fault of faults) console.error(fault)
  say(`sentences of the lab: ${faults.length === 0 ? 'clean' : 'findings, see above'}`)
  return faults.length === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = checkLabData() ? 0 : 1
