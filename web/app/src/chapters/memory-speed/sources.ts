// What chapter 11 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('dao', 'milakov', 'vaswani', 'shazeer', 'williams')
