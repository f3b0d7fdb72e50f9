// The sentences for a paper's methods section, in both languages whatever language the page has: a
// Korean reader may write in English. What the reader has not said yet stays a visible gap. Pure.
import { count } from '../../i18n/numbers'
import type { AblationView, ParametersView } from '../../state/parametersView'
import type { Language } from '../../state/view'
import { costOf, kindOf, latentWidths, problemOf, shapeOf, type Shape } from './counts'

export function methodsSentence(
  language: Language,
  shape: Shape,
  { layers, dropout }: Pick<ParametersView, 'layers' | 'dropout'>,
): string {
  return language === 'en' ? english(shape, layers, dropout) : korean(shape, layers, dropout)
}

function english(shape: Shape, layers: number, dropout: number): string {
  const { dModel, heads, headDim, kvHeads } = shape
  const { latent, queryLatent, rotary } = latentWidths(headDim)
  const h = String(heads)
  const how = {
    mha: `multi-head attention with h = ${h} ${heads === 1 ? 'head' : 'heads'}`,
    gqa: `grouped-query attention with h = ${h} query heads and ${String(kvHeads)} key/value heads`,
    mqa: `multi-query attention with h = ${h} query heads and one key/value head`,
    mla: `multi-head latent attention with h = ${h} heads`,
  }[kindOf(shape)]
  const widths = [
    `d_model = ${String(dModel)}`,
    shape.latent ? `d_h = ${String(headDim)}` : `d_k = d_v = ${String(headDim)}`,
    ...(shape.latent
      ? [`d_c = ${String(latent)}`, `d'_c = ${String(queryLatent)}`, `d_h^R = ${String(rotary)}`]
      : []),
  ]
  const { total, biases } = costOf(shape)
  const counted = `${count(total)} parameters in its projections${biases > 0 ? ', biases included' : ''}`
  const drop = dropout === 0 ? 'No dropout is used.' : `Dropout is ${String(dropout)}.`
  const every =
    layers === 1
      ? 'The model has 1 layer, which uses'
      : `The model has ${String(layers)} layers, each of which uses`
  return `${every} ${how} (${widths.join(', ')}; ${counted}). ${drop}`
}

function korean(shape: Shape, layers: number, dropout: number): string {
  const { dModel, heads, headDim, kvHeads } = shape
  const { latent, queryLatent, rotary } = latentWidths(headDim)
  const h = String(heads)
  const how = {
    mha: `헤드 ${h}개의 멀티헤드 어텐션`,
    gqa: `쿼리 헤드 ${h}개와 키·값 헤드 ${String(kvHeads)}개의 그룹 쿼리 어텐션(GQA)`,
    mqa: `쿼리 헤드 ${h}개가 키·값 헤드 하나를 함께 쓰는 멀티 쿼리 어텐션(MQA)`,
    mla: `헤드 ${h}개의 멀티헤드 잠재 어텐션(MLA)`,
  }[kindOf(shape)]
  const widths = [
    `d_model = ${String(dModel)}`,
    shape.latent ? `d_h = ${String(headDim)}` : `d_k = d_v = ${String(headDim)}`,
    ...(shape.latent
      ? [`d_c = ${String(latent)}`, `d'_c = ${String(queryLatent)}`, `d_h^R = ${String(rotary)}`]
      : []),
  ]
  const { total, biases } = costOf(shape)
  const counted = `층마다 투영 행렬의 매개변수 ${count(total)}개${biases > 0 ? ', 편향 포함' : ''}`
  const drop = dropout === 0 ? '드롭아웃은 쓰지 않았다.' : `드롭아웃 비율은 ${String(dropout)}이다.`
  return `모델은 ${String(layers)}개 층으로 이루어지며, 각 층은 ${how}을 사용한다(${widths.join(', ')}; ${counted}). ${drop}`
}

export const checkIds = ['width', 'matched', 'optimiser', 'rate', 'budget', 'seeds'] as const
export type CheckId = (typeof checkIds)[number]

export interface Ablation {
  /** The numbers of heads that are compared, in order. */
  heads: number[]
  /** Those of them that do not divide d_model. */
  impossible: number[]
  /** Weights of a layer with the fewest and with the most heads. */
  least: number
  most: number
  checks: Record<CheckId, boolean>
  complete: boolean
}

export function ablationOf(view: ParametersView): Ablation {
  const { compared, optimiser, rate, tuned, budget, seeds } = view.ablation
  const numbers = (compared.match(/\d{1,5}/g) ?? []).map(Number).filter((heads) => heads > 0)
  const heads = [...new Set(numbers)].sort((a, b) => a - b)
  const impossible = heads.filter((each) => problemOf({ ...view, heads: each }) !== null)
  const counts = heads.flatMap((each) => {
    const shape = shapeOf({ ...view, heads: each })
    return shape ? [costOf(shape).weights] : []
  })
  const least = Math.min(...counts)
  const most = Math.max(...counts)
  const checks: Ablation['checks'] = {
    width: heads.length > 1 && impossible.length === 0,
    matched: counts.length > 1 && least === most,
    optimiser: optimiser.trim() !== '',
    rate: rate.trim() !== '' && tuned !== '',
    budget: budget.trim() !== '',
    seeds: /^\d{1,4}$/.test(seeds.trim()) && Number(seeds) >= 2,
  }
  const stated = checks.width && checks.optimiser && checks.rate && checks.budget && checks.seeds
  return { heads, impossible, least, most, checks, complete: stated }
}

/** The sentence to print; parameters that are not matched are said, not hidden. */
export function ablationSentence(language: Language, view: ParametersView): string {
  const ablation = ablationOf(view)
  return language === 'en' ? englishAblation(view, ablation) : koreanAblation(view, ablation)
}

function stated(text: string, gap: string): string {
  return text.trim() === '' ? `[${gap}]` : text.trim()
}

function sizes({ size }: ParametersView): string {
  return size === null ? 'd_k = d_model / h' : `d_k = ${String(size)}`
}

function englishAblation(view: ParametersView, { heads, checks, least, most }: Ablation): string {
  const { optimiser, rate, tuned, budget, seeds }: AblationView = view.ablation
  const listed = heads.length > 0 ? heads.join(', ') : '[numbers of heads]'
  const same = checks.matched
    ? `so that every variant has ${count(least)} weights in the projections of a layer`
    : `so that the projections of a layer have between ${count(least)} and ${count(most)} weights and parameters are not matched`
  const how = {
    '': '[one for all h, or tuned for each h]',
    same: 'the same for all h',
    each: 'tuned separately for each h',
  }[tuned]
  return (
    `We vary the number of heads (h = ${listed}) at fixed d_model = ${String(view.width)} with ${sizes(view)}, ${same}. ` +
    `All variants are trained with ${stated(optimiser, 'optimiser')} at a learning rate of ${stated(rate, 'learning rate')}, ${how}, ` +
    `for ${stated(budget, 'steps or epochs')} on the same data; we report mean and standard deviation over ${stated(seeds, 'number of')} seeds.`
  )
}

function koreanAblation(view: ParametersView, { heads, checks, least, most }: Ablation): string {
  const { optimiser, rate, tuned, budget, seeds }: AblationView = view.ablation
  const listed = heads.length > 0 ? heads.join(', ') : '[헤드 수]'
  const same = checks.matched
    ? `모든 조건에서 한 층의 투영 가중치는 ${count(least)}개로 같다`
    : `한 층의 투영 가중치가 ${count(least)}개에서 ${count(most)}개까지 달라 매개변수 수는 같지 않다`
  const how = {
    '': '[모든 h에 같은 값인지, h마다 따로 조정했는지]',
    same: '모든 h에 같은 값을 썼다',
    each: 'h마다 따로 조정했다',
  }[tuned]
  return (
    `모델 차원을 고정하고(d_model = ${String(view.width)}) 헤드 수를 바꾸어(h = ${listed}) 비교하였다. 헤드 차원은 ${sizes(view)}이며, ${same}. ` +
    `최적화 방법은 ${stated(optimiser, '최적화 방법')}, 학습률은 ${stated(rate, '학습률')}이고 ${how}. ` +
    `같은 데이터로 ${stated(budget, '학습 스텝이나 에폭')} 동안 학습하고, 시드 ${stated(seeds, '몇')}개의 평균과 표준편차를 보고한다.`
  )
}
