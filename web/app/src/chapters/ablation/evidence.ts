// The experiments of chapter 8 as evidence: their numbers, and a sentence for a paper in both languages
// whatever language the page has. Pure.
import type { HeadImportance, PruningCurves } from 'headwise'
import type { Experiment } from '../../export/evidence'
import { spotName, type AblationId, type HeadSpot } from '../../state/ablationView'
import { lossAt } from './charts'
import { noiseLevel } from './measure'
import type { PairSet } from './pairs'
import type { Changed } from './state.svelte'
import { importanceColumns, importanceRows, pruningColumns, pruningRows } from './tables'

const model = 'all-MiniLM-L6-v2'
const limits = {
  en: 'It does not show what other text or another task would need, nor what a model trained without these heads would do.',
  ko: '다른 글이나 다른 과제에 무엇이 필요한지, 이 헤드들 없이 학습한 모델이 어떠할지는 보이지 않는다.',
}
const objective = {
  en: 'in-batch contrastive loss (scale 20, mean-pooled)',
  ko: '배치 안 대조 손실(배율 20, 평균 풀링)',
}
const ways: Record<AblationId, { en: string; ko: string }> = {
  zero: { en: 'set to zero', ko: '0으로 바꾸면' },
  mean: { en: 'replaced by its mean', ko: '평균으로 바꾸면' },
  noise: {
    en: `disturbed by noise (standard deviation ${String(noiseLevel)})`,
    ko: `잡음(표준 편차 ${String(noiseLevel)})을 더하면`,
  },
  shuffle: { en: 'shuffled over tokens', ko: '토큰끼리 뒤섞으면' },
}

const three = (value: number): string => value.toFixed(3)
const plus = (value: number): string => `${value > 0 ? '+' : ''}${three(value)}`

const dataOf = ({ name, content }: PairSet): Experiment['data'] => ({
  kind: 'pairs',
  name,
  content,
})

export function changeExperiment(
  set: PairSet,
  changed: Changed,
  off: readonly HeadSpot[],
  how: AblationId,
  seed: number,
): Experiment {
  const { base, now, difference } = changed
  const heads = off.map(spotName).join(', ')
  const n = String(set.pairs.length)
  const range = `${plus(difference.low)} … ${plus(difference.high)}`
  return {
    id: 'loss-without-heads',
    usesModel: true,
    data: dataOf(set),
    options: { heads, ablation: how, noise: noiseLevel, scale: 20, pairs: set.pairs.length },
    seeds: { bootstrap_and_noise: seed },
    columns: ['pair', 'loss', 'loss_without'],
    rows: Array.from(base.losses, (loss, place) => [place, loss, now.losses[place] ?? NaN]),
    sentence: (language) =>
      language === 'en'
        ? `With the output of heads ${heads} of ${model} ${ways[how].en} before W_O, the ${objective.en} over n = ${n} pairs of sentences (${set.name}) changed from ${three(base.loss)} to ${three(now.loss)} (${plus(difference.mean)}, 95 % interval ${range}, bootstrap over pairs). ${limits.en}`
        : `${model}에서 헤드 ${heads}의 출력을 W_O 앞에서 ${ways[how].ko} 문장 쌍 ${n}개(${set.name})에서 ${objective.ko}이 ${three(base.loss)}에서 ${three(now.loss)}로 바뀌었다(${plus(difference.mean)}, 95% 구간 ${range}, 쌍 단위 부트스트랩). ${limits.ko}`,
  }
}

export function importanceExperiment(
  set: PairSet,
  ranks: HeadImportance,
  how: AblationId,
  complete: boolean,
): Experiment {
  const rows = importanceRows(ranks)
  const sure = rows.filter(([, , , low = NaN, high = NaN]) => low > 0 || high < 0).length
  const n = String(ranks.base.losses.length)
  const all = String(rows.length)
  return {
    id: 'leave-one-out',
    usesModel: true,
    data: dataOf(set),
    options: {
      ablation: how,
      noise: noiseLevel,
      scale: 20,
      pairs: set.pairs.length,
      reported: ranks.base.losses.length,
      complete,
      resamples: ranks.resamples,
    },
    seeds: { halves_and_bootstrap: ranks.seed },
    columns: importanceColumns,
    rows,
    sentence: (language) =>
      language === 'en'
        ? `Leaving out one head of ${model} at a time (output ${ways[how].en} before W_O) changed the ${objective.en} over n = ${n} pairs (${set.name}) by an amount whose 95 % interval leaves 0 out for ${sure} of ${all} heads, where about ${Math.round(rows.length * 0.05)} are expected by chance; the loss of the whole model is ${three(ranks.base.loss)}. ${limits.en}`
        : `${model}의 헤드를 하나씩 빼면(출력을 W_O 앞에서 ${ways[how].ko}) 문장 쌍 ${n}개(${set.name})에서 ${objective.ko}의 변화는 헤드 ${all}개 가운데 ${sure}개에서 95% 구간이 0을 벗어났다. 우연으로는 ${Math.round(rows.length * 0.05)}개쯤 기대된다. 모델 전체의 손실은 ${three(ranks.base.loss)}이다. ${limits.ko}`,
  }
}

export function pruningExperiment(
  set: PairSet,
  curves: PruningCurves,
  complete: boolean,
): Experiment {
  const { importance, random, base, ablation, seed, resamples } = curves
  const count = importance.order.length
  const at = lossAt(importance, Math.floor(count / 2))
  const losses = random.map((curve) => lossAt(curve, at.gone).loss)
  const range = `${three(Math.min(...losses))} … ${three(Math.max(...losses))}`
  const n = String(base.losses.length)
  return {
    id: 'pruning',
    usesModel: true,
    data: dataOf(set),
    options: {
      ablation,
      scale: 20,
      pairs: set.pairs.length,
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
        ? `Without ${at.gone} of the ${count} heads of ${model}, taken in the order of their leave-one-out importance on the other half of the pairs, the ${objective.en} over n = ${n} pairs (${set.name}) was ${three(at.loss)}, against ${three(base.loss)} with all heads and ${range} in ${random.length} random orders. ${limits.en}`
        : `${model}의 헤드 ${count}개 가운데 ${at.gone}개를, 쌍의 다른 절반에서 구한 하나씩 빼기 중요도가 낮은 것부터 빼면 문장 쌍 ${n}개(${set.name})에서 ${objective.ko}은 ${three(at.loss)}였다. 모두 켜면 ${three(base.loss)}, 무작위 순서 ${random.length}가지로 빼면 ${range}이다. ${limits.ko}`,
  }
}
