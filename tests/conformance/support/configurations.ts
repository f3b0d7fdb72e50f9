// Everything that computes the cases: each build and entrance of the module, and the native library.
import {
  configurations as moduleConfigurations,
  type AnyRuntime,
} from '../../module/support/runtimes.js'
import { nativeConfigurations, type NativeRuntime } from './native.js'

/** What the cases call, of the module or of the native library. */
export type CaseRuntime =
  | Pick<
      AnyRuntime,
      'attention' | 'createMultiHeadAttention' | 'latentAttention' | 'info' | 'dispose'
    >
  | NativeRuntime

interface Configuration {
  name: string
  open: () => Promise<CaseRuntime>
  /** The same on any number of threads, where the build has them. */
  openOn?: (threads: number) => Promise<CaseRuntime>
}

export const configurations: Configuration[] = [...nativeConfigurations, ...moduleConfigurations]
