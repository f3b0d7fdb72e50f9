// What chapter 8 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('michel', 'voita', 'henderson', 'reimers', 'efron')
