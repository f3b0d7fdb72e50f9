// What chapter 12 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('vaswani', 'bahdanau', 'clark', 'jain', 'wu', 'fan', 'holtzman')
