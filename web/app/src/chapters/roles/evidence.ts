// The opened head at the opened role as evidence: all numbers, and a sentence for a paper in both
// languages whatever language the page has. Pure.
import type { CoreferenceScores, HeadRoles } from 'headwise'
import type { Experiment } from '../../export/evidence'
import type { ModelName } from '../../runtime/models.svelte'
import type { Language } from '../../state/view'
import { headName, type Badge } from './badges'
import type { Bank } from './bank'
import { coreferenceColumns, coreferenceRows, everyRow, relationColumns } from './tables'

const share = (value: number): string => `${(value * 100).toFixed(0)} %`
/** As Korean writes it, without a space. */
const shareKo = (value: number): string => `${(value * 100).toFixed(0)}%`

/** Intervals come with the end of a measurement; one that was ended early says so. */
function rangeOf(language: Language, low: number, high: number, print: typeof share): string {
  const [from, to] = [print(low), print(high)]
  if (Number.isNaN(low)) {
    return language === 'en' ? 'measured in part, without an interval' : '일부만 재어 구간은 없음'
  }
  return language === 'en' ? `95 % interval ${from} to ${to}` : `95% 구간 ${from}~${to}`
}
const two = (value: number): string => value.toFixed(2)

const models: Readonly<Record<ModelName, Record<Language, string>>> = {
  'minilm-l6': { en: 'all-MiniLM-L6-v2', ko: 'all-MiniLM-L6-v2' },
  'translate-en-fr': {
    en: 'the encoder of Headwise’s English-French translator (translate-en-fr)',
    ko: 'Headwise의 영어-프랑스어 번역 모델(translate-en-fr) 인코더',
  },
  'novels-lm': {
    en: 'Headwise’s language model (novels-lm)',
    ko: 'Headwise의 언어 모델(novels-lm)',
  },
}

interface Cited {
  model: ModelName
  badge: Badge
  offset: number
  /** Sentences measured, and what they are called. */
  sentences: number
  name: string
}

function english({ model, badge, offset, sentences, name }: Cited): string {
  const head = `head ${headName(badge)} of ${models[model].en} (layers and heads counted from 0)`
  const range = rangeOf('en', badge.low, badge.high, badge.kind === 'measure' ? two : share)
  const limits =
    'This says where attention goes on these sentences, not what the model uses it for.'
  if (badge.kind === 'coreference') {
    return `On ${sentences} sentences with two candidate nouns (${name}), pronouns had more weight on their antecedent than on the other candidate in ${head} in ${share(badge.score)} of the cases (${range}, bootstrap over sentences; nearer candidate: ${share(badge.baseline)}). ${limits}`
  }
  if (badge.kind === 'measure') {
    return `On ${sentences} sentences (${name}), the measure "${badge.role}" of ${head} had a mean of ${badge.score.toFixed(2)} over ${badge.n} rows (${range}). ${limits}`
  }
  const way = badge.upward
    ? `the word with most attention from a dependent was its head`
    : `the word with most attention to a dependent was its head`
  return `On ${sentences} sentences (${name}), in ${head}, ${way} for ${share(badge.score)} of n = ${badge.n} dependents of the relation ${badge.role} (${range}, bootstrap over sentences; best fixed offset, ${offset}: ${share(badge.baseline)}), on the half of the sentences that heads and offset were not chosen on. ${limits}`
}

function korean({ model, badge, offset, sentences, name }: Cited): string {
  const head = `${models[model].ko}의 ${headName(badge)} 헤드(층과 헤드는 0부터 셈)`
  const range = rangeOf('ko', badge.low, badge.high, badge.kind === 'measure' ? two : shareKo)
  const limits =
    '이 값은 이 문장들에서 어텐션이 어디로 가는지를 보일 뿐, 모델이 그것을 무엇에 쓰는지는 보이지 않는다.'
  if (badge.kind === 'coreference') {
    return `후보 명사가 둘인 문장 ${sentences}개(${name})로 잰 ${head}에서 대명사가 다른 후보보다 선행사에 더 큰 가중치를 둔 비율은 ${shareKo(badge.score)}였다(${range}, 문장 단위 부트스트랩; 가까운 후보 ${shareKo(badge.baseline)}). ${limits}`
  }
  if (badge.kind === 'measure') {
    return `문장 ${sentences}개(${name})로 잰 ${head}의 "${badge.role}" 값은 행 ${badge.n}개의 평균으로 ${badge.score.toFixed(2)}이다(${range}). ${limits}`
  }
  const way = badge.upward
    ? '의존소가 가장 많이 보는 낱말이 그 지배소인 비율'
    : '의존소를 가장 많이 보는 낱말이 그 지배소인 비율'
  return `문장 ${sentences}개(${name})로 잰 ${head}에서 ${badge.role} 관계의 ${way}은 ${shareKo(badge.score)}였다(n = ${badge.n}, ${range}, 문장 단위 부트스트랩; 최적 고정 거리 ${offset}: ${shareKo(badge.baseline)}). 헤드와 거리를 고르는 데 쓰지 않은 절반의 문장에서 구한 값이다. ${limits}`
}

const sentenceOf =
  (cited: Cited) =>
  (language: Language): string =>
    language === 'en' ? english(cited) : korean(cited)

export function rolesExperiment(
  model: ModelName,
  badge: Badge,
  offset: number,
  bank: Bank,
  roles: HeadRoles,
  complete: boolean,
): Experiment {
  const { used, given } = roles.sentences
  return {
    id: 'head-roles',
    usesModel: true,
    data: {
      kind: bank.labelled ? 'treebank' : 'text',
      name: bank.name,
      content: bank.content,
    },
    options: {
      head: headName(badge),
      role: badge.role,
      direction: badge.upward ? 'dependent-to-head' : 'head-to-dependent',
      sentences: given,
      measured: used,
      complete,
      longest_in_tokens: 128,
      resamples: roles.resamples,
    },
    seeds: { halves_and_bootstrap: roles.seed },
    columns: relationColumns,
    rows: everyRow(roles),
    sentence: sentenceOf({ model, badge, offset, sentences: used, name: bank.name }),
  }
}

export function coreferenceExperiment(
  model: ModelName,
  badge: Badge,
  content: string,
  scores: CoreferenceScores,
  complete: boolean,
): Experiment {
  const name = 'headwise pronouns'
  const { used, given } = scores.examples
  return {
    id: 'head-coreference',
    usesModel: true,
    data: { kind: 'treebank', name, content },
    options: {
      head: headName(badge),
      sentences: given,
      measured: used,
      complete,
      resamples: scores.resamples,
    },
    seeds: { bootstrap: scores.seed },
    columns: coreferenceColumns,
    rows: coreferenceRows(scores),
    sentence: sentenceOf({ model, badge, offset: NaN, sentences: used, name }),
  }
}
