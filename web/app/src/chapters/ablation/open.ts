// Opens chapter 8: its component and the catalogue of one language.
import type { ModelConfig } from 'headwise'
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { modelKinds } from '../../runtime/models.svelte'
import { subject } from '../../runtime/subject.svelte'
import Ablation from './Ablation.svelte'
import { showCatalogue } from './catalogue.svelte'
import type { AblationMessages } from './en'

type Kind = ModelConfig['kind']

const kinds: readonly Kind[] = ['encoder', 'decoder', 'encoder-decoder']
/** Parts that some kinds of models have. */
const onlyOf: Readonly<Partial<Record<string, readonly Kind[]>>> = {
  'ablation-behind': ['encoder', 'decoder'],
  'ablation-meaning': ['encoder'],
  'ablation-groups': ['encoder-decoder'],
}

const catalogues: Record<Language, () => Promise<{ ablation: AblationMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { ablation } = await catalogues[language]()
  const parts = Object.entries(ablation.parts).map(([id, name]) => ({ id: `ablation-${id}`, name }))
  const show = () => showCatalogue(ablation)
  return {
    component: Ablation,
    title: ablation.windowTitle,
    /** Those that the chosen model has. */
    get parts() {
      const kind = modelKinds[subject.name]
      return parts.filter(({ id }) => (onlyOf[id] ?? kinds).includes(kind))
    },
    show,
  }
}
