// What chapter 7 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('clark', 'voita', 'marneffe', 'jain', 'efron')
