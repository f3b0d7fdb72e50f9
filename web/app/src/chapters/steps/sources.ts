// What chapter 3 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('vaswani', 'kobayashi', 'elhage', 'devlin')
