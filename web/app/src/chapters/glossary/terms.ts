// The terms of the field in both languages, where each stands, and which chapter shows it. Pure.
import type { TermId } from '../../state/glossaryView'

export const levelIds = [
  'input',
  'attention',
  'heads',
  'kinds',
  'transformer',
  'sharing',
  'claims',
] as const
export type LevelId = (typeof levelIds)[number]

export interface Term {
  en: string
  ko: string
  level: LevelId
  /** Number of the chapter that shows it. */
  chapter: number
}

export const terms: Record<TermId, Term> = {
  token: { en: 'token', ko: '토큰', level: 'input', chapter: 1 },
  'special-token': { en: 'special token', ko: '특수 토큰', level: 'input', chapter: 1 },
  query: { en: 'query', ko: '쿼리', level: 'attention', chapter: 3 },
  key: { en: 'key', ko: '키', level: 'attention', chapter: 3 },
  value: { en: 'value', ko: '값', level: 'attention', chapter: 3 },
  score: { en: 'score', ko: '점수', level: 'attention', chapter: 3 },
  softmax: { en: 'softmax', ko: '소프트맥스', level: 'attention', chapter: 2 },
  weight: { en: 'attention weight', ko: '어텐션 가중치', level: 'attention', chapter: 1 },
  map: { en: 'attention map', ko: '어텐션 맵', level: 'attention', chapter: 1 },
  attention: { en: 'attention mechanism', ko: '어텐션 메커니즘', level: 'attention', chapter: 1 },
  'scaled-dot-product': {
    en: 'scaled dot-product attention',
    ko: '스케일드 점곱 어텐션',
    level: 'attention',
    chapter: 3,
  },
  scale: { en: 'scale 1/√d_k', ko: '스케일 1/√d_k', level: 'attention', chapter: 4 },
  entropy: { en: 'entropy of a row', ko: '행의 엔트로피', level: 'attention', chapter: 4 },
  head: { en: 'attention head', ko: '어텐션 헤드', level: 'heads', chapter: 1 },
  'multi-head': { en: 'multi-head attention', ko: '멀티헤드 어텐션', level: 'heads', chapter: 3 },
  'head-dimension': { en: 'head dimension d_k', ko: '헤드 차원 d_k', level: 'heads', chapter: 5 },
  projection: {
    en: 'projection W_Q, W_K, W_V',
    ko: '투영 행렬 W_Q, W_K, W_V',
    level: 'heads',
    chapter: 3,
  },
  concatenation: { en: 'concatenation', ko: '이어 붙이기', level: 'heads', chapter: 3 },
  'output-projection': {
    en: 'output projection W_O',
    ko: '출력 투영 W_O',
    level: 'heads',
    chapter: 3,
  },
  contribution: { en: 'contribution', ko: '기여', level: 'heads', chapter: 1 },
  subspace: { en: 'subspace', ko: '부분공간', level: 'heads', chapter: 6 },
  'self-attention': { en: 'self-attention', ko: '셀프 어텐션', level: 'kinds', chapter: 1 },
  'cross-attention': { en: 'cross-attention', ko: '크로스 어텐션', level: 'kinds', chapter: 12 },
  'causal-mask': { en: 'causal mask', ko: '인과 마스크', level: 'kinds', chapter: 3 },
  transformer: { en: 'transformer', ko: '트랜스포머', level: 'transformer', chapter: 15 },
  layer: { en: 'layer', ko: '층', level: 'transformer', chapter: 1 },
  encoder: { en: 'encoder', ko: '인코더', level: 'transformer', chapter: 1 },
  decoder: { en: 'decoder', ko: '디코더', level: 'transformer', chapter: 12 },
  residual: { en: 'residual stream', ko: '잔차 스트림', level: 'transformer', chapter: 3 },
  normalisation: { en: 'layer normalisation', ko: '층 정규화', level: 'transformer', chapter: 3 },
  'feed-forward': {
    en: 'feed-forward layer',
    ko: '피드포워드 층',
    level: 'transformer',
    chapter: 3,
  },
  gqa: {
    en: 'grouped-query attention (GQA)',
    ko: '그룹 쿼리 어텐션(GQA)',
    level: 'sharing',
    chapter: 10,
  },
  mqa: {
    en: 'multi-query attention (MQA)',
    ko: '멀티 쿼리 어텐션(MQA)',
    level: 'sharing',
    chapter: 10,
  },
  mla: {
    en: 'multi-head latent attention (MLA)',
    ko: '멀티헤드 잠재 어텐션(MLA)',
    level: 'sharing',
    chapter: 10,
  },
  cache: { en: 'key-value cache', ko: '키·값 캐시', level: 'sharing', chapter: 10 },
  tiling: { en: 'tiled attention', ko: '타일 어텐션', level: 'sharing', chapter: 11 },
  intensity: { en: 'arithmetic intensity', ko: '연산 강도', level: 'sharing', chapter: 11 },
  bottleneck: { en: 'low-rank bottleneck', ko: '저랭크 병목', level: 'claims', chapter: 9 },
  ablation: { en: 'ablation', ko: '제거·비교 실험(ablation)', level: 'claims', chapter: 5 },
}

/** Whether a term is meant by what was typed, in either language; spaces and case do not matter. */
export function matches(id: TermId, definition: string, wanted: string): boolean {
  const needle = plainText(wanted)
  if (needle === '') return true
  const { en, ko } = terms[id]
  return [id, en, ko, definition].some((text) => plainText(text).includes(needle))
}

function plainText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_·-]+/g, '')
}
