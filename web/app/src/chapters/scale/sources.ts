// What chapter 4 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('vaswani', 'britz')
