// 8장에서 모델마다 달라지는 한국어 문구: 과제, 잰 글, 맞았다고 세는 것.
import { number, part, term } from '../../i18n/inline'
import type { ModelName } from '../../runtime/models.svelte'
import type { SubjectWords } from './subjects.en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

const masked =
  ' 헤드는 W_O 앞에서 끕니다. 헤드가 내놓을 값을 0이나 평균으로 바꾸거나, 잡음을 섞거나, 다른 토큰의 것과 뒤바꿉니다.'

export const subjects: Readonly<Record<ModelName, SubjectWords>> = {
  'minilm-l6': {
    objective: [
      '헤드가 중요한지는 없애 보아야 압니다. 이 모델은 뜻이 같은 문장을 가까이 두도록 학습했습니다. 여기서 ',
      term('손실'),
      `(loss)은 바로 그 일로 잽니다. 모든 쌍의 둘째 문장 가운데서 첫째 문장의 짝을 얼마나 확실하게 찾는가입니다.${masked}`,
    ],
    answerAll: (facts) => [
      `헤드를 모두 켜면 ${facts.set}에서 첫째 문장의 짝을 `,
      number(facts.accuracy),
      `${joined}의 비율로 찾고, 손실은 `,
      number(facts.before),
      `${joined}입니다. `,
      part('switches', '헤드를 꺼서'),
      ' 얼마나 나빠지는지 보세요.',
    ],
    set: (count) => `문장 쌍 ${count}개`,
    own: (count) =>
      `뜻이 같은 문장 ${count}쌍입니다. 이 페이지를 위해 썼고, 같은 주제끼리 모여 있지만 부정, 누가 무엇을 하는지, 세부가 서로 다릅니다.`,
    sets: { own: '이 실험실의 문장 쌍', file: '내 파일' },
    open: '문장 쌍 열기',
    file: '한 줄에 한 쌍씩, 두 문장 사이에 탭을 넣은 텍스트 파일입니다. 여기에 끌어다 놓아도 됩니다. 파일은 이 탭을 벗어나지 않습니다.',
    right: '바로 찾음',
    about:
      '바로 찾음은 짝이 가장 가까운 문장이었던 비율입니다. 손실은 쌍이 몇 개인지에 따라 달라집니다.',
    one: ['5.11 헤드는 모든 토큰에게 중심 명사를 짚어 줍니다. 꺼 보세요. 아쉬울까요?'],
    first: ['0층의 헤드를 모두 꺼 보세요. 첫 층 없이도 모델이 버틸까요?'],
    wrong: ['3.1 헤드를 조용하게 하는 대신 잡음을 넣어 틀리게 해 보세요. 다른 헤드가 메워 줄까요?'],
  },
  'translate-en-fr': {
    objective: [
      '헤드가 중요한지는 없애 보아야 압니다. 이 번역 모델은 영어 문장과 그때까지 쓴 프랑스어를 보고 다음 프랑스어 토큰을 맞히도록 학습했습니다. 여기서 ',
      term('손실'),
      `(loss)은 바로 그 일로 잽니다. 올바른 번역의 토큰 하나하나를 얼마나 확실하게 예상하는가입니다.${masked}`,
    ],
    answerAll: (facts) => [
      `헤드를 모두 켜면 ${facts.set}에서 토큰마다 손실이 `,
      number(facts.before),
      `${joined}이고, 문장의 `,
      number(facts.match),
      `${joined}에서 정답으로 적어 둔 번역 하나를 글자 그대로 써냅니다. `,
      part('switches', '헤드를 꺼서'),
      ' 얼마나 나빠지는지 보세요.',
    ],
    set: (count) => `번역문 ${count}개`,
    own: (count) =>
      `영어 문장 ${count}개와 그 프랑스어 번역입니다. 자연스러운 번역이 여럿이면 여럿을 적었습니다. 이 페이지를 위해 썼고, 영어 문장은 모두 학습 데이터에 없는 것입니다.`,
    sets: { own: '이 실험실의 번역문', file: '내 파일' },
    open: '번역문 열기',
    file: '한 줄에 영어 문장, 탭, 프랑스어 번역을 적은 텍스트 파일입니다. 맞는 번역이 더 있으면 탭을 두고 이어 적습니다. 여기에 끌어다 놓아도 됩니다. 파일은 이 탭을 벗어나지 않습니다.',
    right: '맞힌 토큰',
    about:
      '맞힌 토큰은 앞의 토큰들이 옳게 주어졌을 때 모델이 가장 크게 예상한 토큰이 정답인 비율입니다. 그대로 번역은 모델이 혼자 (늘 확률이 가장 높은 토큰을 골라) 쓴 것이 정답 번역 하나와 글자 그대로 같은 문장의 비율입니다.',
    one: ['디코더가 영어 문장을 읽는 헤드 하나를 꺼 보세요. 번역이 나빠질까요?'],
    first: ['인코더 첫 층의 헤드를 모두 꺼 보세요. 번역에 무엇이 남을까요?'],
    wrong: ['디코더의 헤드 하나를 조용하게 하는 대신 잡음을 넣어 틀리게 해 보세요.'],
  },
  'novels-lm': {
    objective: [
      '헤드가 중요한지는 없애 보아야 압니다. 이 언어 모델은 소설에서 다음 토큰을 맞히도록 학습했습니다. 여기서 ',
      term('손실'),
      `(loss)은 바로 그 일로, 모델이 읽은 적 없는 글에서 잽니다.${masked}`,
    ],
    answerAll: (facts) => [
      `헤드를 모두 켜면 ${facts.set}에서 토큰마다 손실이 `,
      number(facts.before),
      `${joined}, 글의 바이트마다 `,
      number(facts.bits),
      '비트이고, 토큰의 ',
      number(facts.accuracy),
      `${joined}을 맞힙니다. `,
      part('switches', '헤드를 꺼서'),
      ' 얼마나 나빠지는지 보세요.',
    ],
    set: (count) => `글 ${count}편`,
    own: (count) => `옛 소설의 말투로 이 페이지를 위해 쓴 짧은 글 ${count}편입니다.`,
    sets: { own: '이 실험실의 글', file: '내 글' },
    open: '글 열기',
    file: '영어 텍스트 파일입니다. 한 줄이 글 한 편이고, 빈 줄이 있으면 문단마다 한 편입니다. 여기에 끌어다 놓아도 됩니다. 파일은 이 탭을 벗어나지 않습니다.',
    right: '맞힌 토큰',
    about: '맞힌 토큰은 앞의 토큰들을 보고 모델이 가장 크게 예상한 토큰이 정답인 비율입니다.',
    one: ['첫 층의 헤드 하나를 꺼 보세요. 아쉬울까요?'],
    first: ['0층의 헤드를 모두 꺼 보세요. 첫 층 없이도 모델이 버틸까요?'],
    wrong: ['3.1 헤드를 조용하게 하는 대신 잡음을 넣어 틀리게 해 보세요. 다른 헤드가 메워 줄까요?'],
  },
}
