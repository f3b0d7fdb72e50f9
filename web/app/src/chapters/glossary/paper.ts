// Example sentences for a paper, in both languages: made up, to show what has to be named.
import type { PaperId } from '../../state/glossaryView'
import type { Language } from '../../state/view'

const sentences: Record<PaperId, Record<Language, string>> = {
  encoder: {
    en: 'The encoder has 8 layers of multi-head self-attention with h = 8 heads each, d_model = 512 and d_k = d_v = 64; every token attends to every token of the sentence, and padding is masked.',
    ko: '인코더는 멀티헤드 셀프 어텐션 층 8개로 이루어지며, 층마다 헤드 h = 8개, d_model = 512, d_k = d_v = 64이다. 모든 토큰이 문장의 모든 토큰을 보고, 패딩은 마스크로 가린다.',
  },
  vision: {
    en: 'Images of 224 × 224 pixels are cut into 16 × 16 patches, which with a class token makes n = 197 tokens; they pass 12 layers of multi-head self-attention (h = 6, d_model = 384, d_k = d_v = 64), without a mask.',
    ko: '224 × 224 픽셀 이미지를 16 × 16 패치로 나누고 분류 토큰을 더해 토큰 n = 197개로 만든 뒤, 멀티헤드 셀프 어텐션 12개 층(h = 6, d_model = 384, d_k = d_v = 64)을 마스크 없이 거치게 한다.',
  },
  cross: {
    en: 'In each decoder layer, causally masked self-attention over the target of length m is followed by multi-head cross-attention (h = 8, d_model = 512, d_k = d_v = 64): queries come from the decoder, keys and values from the encoder’s output of length n, so that each head has an m × n map.',
    ko: '디코더의 층마다 길이 m인 번역문에 인과 마스크를 둔 셀프 어텐션을 적용하고, 이어서 멀티헤드 크로스 어텐션(h = 8, d_model = 512, d_k = d_v = 64)을 둔다. 쿼리는 디코더에서, 키와 값은 길이 n인 인코더 출력에서 나오므로 헤드마다 m × n 맵이 생긴다.',
  },
}

export function paperSentence(id: PaperId, language: Language): string {
  return sentences[id][language]
}
