// The experiments of chapter 8 as evidence: their numbers, and a sentence for a paper in both languages
// whatever language the page has. Pure.
import type { HeadImportance, PruningCurves } from 'headwise'
import type { Experiment } from '../../export/evidence'
import type { ModelName } from '../../runtime/models.svelte'
import { spotName, type AblationId, type HeadSpot } from '../../state/ablationView'
import { lossAt } from './charts'
import { isSure } from './compare'
import type { SampleSet } from './samples'
import type { Changed } from './state.svelte'
import { importanceColumns, importanceRows, pruningColumns, pruningRows } from './tables'

/** What was judged, on what. */
export interface Study {
  model: ModelName
  set: SampleSet
  /** Standard deviation of the noise. */
  noise: number
  /** The rows of heads, as the library names them. */
  attentions: readonly string[]
}

interface Words {
  model: { en: string; ko: string }
  loss: { en: string; ko: string }
  /** What a sample is. */
  samples: { en: string; ko: string }
}

const token = { en: 'cross-entropy per token', ko: '토큰당 교차 엔트로피 손실' }
const words: Readonly<Record<ModelName, Words>> = {
  'minilm-l6': {
    model: { en: 'all-MiniLM-L6-v2', ko: 'all-MiniLM-L6-v2' },
    loss: {
      en: 'in-batch contrastive loss (scale 20, mean-pooled)',
      ko: '배치 안 대조 손실(배율 20, 평균 풀링)',
    },
    samples: { en: 'pairs of sentences', ko: '문장 쌍' },
  },
  'translate-en-fr': {
    model: {
      en: 'the English-French translator of the page (translate-en-fr)',
      ko: '이 페이지의 영어-프랑스어 번역 모델(translate-en-fr)',
    },
    loss: {
      en: `teacher-forced ${token.en} of the target`,
      ko: `교사 강요(teacher forcing) 방식의 ${token.ko}`,
    },
    samples: { en: 'sentences with their translations', ko: '번역문' },
  },
  'novels-lm': {
    model: {
      en: 'the language model of the page (novels-lm)',
      ko: '이 페이지의 언어 모델(novels-lm)',
    },
    loss: { en: `next-token ${token.en}`, ko: `다음 토큰의 ${token.ko}` },
    samples: { en: 'passages', ko: '글' },
  },
}
const limits = {
  en: 'It does not show what other text or another task would need, nor what a model trained without these heads would do.',
  ko: '다른 글이나 다른 과제에 무엇이 필요한지, 이 헤드들 없이 학습한 모델이 어떠할지는 이 결과로 알 수 없다.',
}
const waysOf = (noise: number): Record<AblationId, { en: string; ko: string }> => ({
  zero: { en: 'set to zero', ko: '0으로 바꾸면' },
  mean: { en: 'replaced by its mean', ko: '평균으로 바꾸면' },
  noise: {
    en: `disturbed by noise (standard deviation ${String(noise)})`,
    ko: `잡음(표준편차 ${String(noise)})을 더하면`,
  },
  shuffle: { en: 'shuffled over tokens', ko: '토큰끼리 뒤섞으면' },
})

const three = (value: number): string => value.toFixed(3)
const plus = (value: number): string => `${value > 0 ? '+' : ''}${three(value)}`

const dataOf = ({ set: { name, content }, model }: Study): Experiment['data'] => ({
  kind: model === 'novels-lm' ? 'text' : 'pairs',
  name,
  content,
})

/** `3.1`; with two stacks `decoder.0.cross_attn 1`. */
function headNames({ attentions }: Study, off: readonly HeadSpot[]): string {
  const oneStack = attentions[0]?.startsWith('blocks.') ?? true
  const nameOf = (spot: HeadSpot): string =>
    oneStack ? spotName(spot) : `${attentions[spot.layer] ?? ''} ${String(spot.head)}`
  return off.map(nameOf).join(', ')
}

const scaleOf = ({ model }: Study): { scale?: number } =>
  model === 'minilm-l6' ? { scale: 20 } : {}

export function changeExperiment(
  study: Study,
  changed: Changed,
  off: readonly HeadSpot[],
  how: AblationId,
  seed: number,
): Experiment {
  const { set, noise } = study
  const { model, loss, samples } = words[study.model]
  const ways = waysOf(noise)
  const { base, now, difference } = changed
  const heads = headNames(study, off)
  const n = String(set.samples.length)
  const range = `${plus(difference.low)} … ${plus(difference.high)}`
  return {
    id: 'loss-without-heads',
    usesModel: true,
    data: dataOf(study),
    options: { heads, ablation: how, noise, ...scaleOf(study), samples: set.samples.length },
    seeds: { bootstrap_and_noise: seed },
    columns: ['sample', 'tokens', 'loss', 'loss_without'],
    rows: Array.from(base.losses, (loss, place) => [
      place,
      base.tokens[place] ?? NaN,
      loss,
      now.losses[place] ?? NaN,
    ]),
    sentence: (language) =>
      language === 'en'
        ? `With the output of heads ${heads} of ${model.en} ${ways[how].en} before W_O, the ${loss.en} over n = ${n} ${samples.en} (${set.name}) changed from ${three(base.loss)} to ${three(now.loss)} (${plus(difference.mean)}, 95 % interval ${range}, bootstrap over them). ${limits.en}`
        : `${model.ko}에서 헤드 ${heads}의 출력을 W_O 앞에서 ${ways[how].ko} ${samples.ko} ${n}개(${set.name})에서 잰 ${loss.ko}은 ${three(now.loss)}이다. 바꾸기 전에는 ${three(base.loss)}이다(차이 ${plus(difference.mean)}, 95% 구간 ${range}, 표본 단위 부트스트랩). ${limits.ko}`,
  }
}

export function importanceExperiment(
  study: Study,
  ranks: HeadImportance,
  how: AblationId,
  complete: boolean,
): Experiment {
  const { set, noise } = study
  const { model, loss, samples } = words[study.model]
  const ways = waysOf(noise)
  const rows = importanceRows(ranks)
  const sure = Array.from(ranks.low.data, (low, index) => {
    return isSure({ low, high: ranks.high.data[index] ?? NaN })
  }).filter(Boolean).length
  const n = String(ranks.base.losses.length)
  const all = String(rows.length)
  return {
    id: 'leave-one-out',
    usesModel: true,
    data: dataOf(study),
    options: {
      ablation: how,
      noise,
      ...scaleOf(study),
      samples: set.samples.length,
      reported: ranks.base.losses.length,
      complete,
      resamples: ranks.resamples,
    },
    seeds: { halves_and_bootstrap: ranks.seed },
    columns: importanceColumns,
    rows,
    sentence: (language) =>
      language === 'en'
        ? `Leaving out one head of ${model.en} at a time (output ${ways[how].en} before W_O) changed the ${loss.en} over n = ${n} ${samples.en} (${set.name}) by an amount whose 95 % interval leaves 0 out for ${sure} of ${all} heads, where about ${Math.round(rows.length * 0.05)} are expected by chance; the loss of the whole model is ${three(ranks.base.loss)}. ${limits.en}`
        : `${model.ko}의 헤드를 하나씩 빼면(출력을 W_O 앞에서 ${ways[how].ko}) ${samples.ko} ${n}개(${set.name})에서 잰 ${loss.ko}이 변하는데, 그 변화의 95% 구간이 0을 벗어나는 것은 헤드 ${all}개 가운데 ${sure}개이다. 우연으로도 ${Math.round(rows.length * 0.05)}개쯤은 그럴 수 있다. 모델 전체의 손실은 ${three(ranks.base.loss)}이다. ${limits.ko}`,
  }
}

export function pruningExperiment(
  study: Study,
  curves: PruningCurves,
  complete: boolean,
): Experiment {
  const { set } = study
  const { model, loss, samples } = words[study.model]
  const { importance, random, base, ablation, seed, resamples } = curves
  const count = importance.order.length
  const at = lossAt(importance, Math.floor(count / 2))
  const losses = random.map((curve) => lossAt(curve, at.gone).loss)
  const range = `${three(Math.min(...losses))} … ${three(Math.max(...losses))}`
  const n = String(base.losses.length)
  return {
    id: 'pruning',
    usesModel: true,
    data: dataOf(study),
    options: {
      ablation,
      ...scaleOf(study),
      samples: set.samples.length,
      reported: base.losses.length,
      random_orders: random.length,
      greedy: curves.greedy !== undefined,
      complete,
      resamples,
    },
    seeds: { halves_orders_and_bootstrap: seed },
    columns: pruningColumns,
    rows: pruningRows(curves),
    sentence: (language) =>
      language === 'en'
        ? `Without ${at.gone} of the ${count} heads of ${model.en}, taken in the order of their leave-one-out importance on the other half of them, the ${loss.en} over n = ${n} ${samples.en} (${set.name}) was ${three(at.loss)}, against ${three(base.loss)} with all heads and ${range} in ${random.length} random orders. ${limits.en}`
        : `${model.ko}의 헤드 ${count}개 가운데 ${at.gone}개를, 표본의 다른 절반에서 하나씩 빼며 구한 중요도가 낮은 것부터 빼면 ${samples.ko} ${n}개(${set.name})에서 잰 ${loss.ko}은 ${three(at.loss)}이다. 모두 켜면 ${three(base.loss)}, 무작위 순서 ${random.length}가지로 빼면 ${range}이다. ${limits.ko}`,
  }
}
