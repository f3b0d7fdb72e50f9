// What chapter 2 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('vaswani', 'clark', 'michel', 'kobayashi')
