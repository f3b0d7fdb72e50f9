// What chapter 1 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('vaswani', 'clark', 'kobayashi', 'jain', 'wiegreffe', 'wang', 'reimers')
