// What chapter 10 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('vaswani', 'shazeer', 'ainslie', 'deepseek', 'eckart')
