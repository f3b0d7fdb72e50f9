// What chapter 9 rests on.
import { cite } from '../../references/bibliography'

export const sources = cite('bhojanapalli', 'vaswani', 'amsel', 'michel', 'eckart')
