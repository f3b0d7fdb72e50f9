// What chapter 6 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('vaswani', 'pearson', 'bjorck', 'kornblith', 'song', 'michel')
