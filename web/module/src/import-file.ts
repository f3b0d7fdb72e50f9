// Waits for code of this package that is loaded when it is needed. The import itself is written
// where it is needed, so that bundlers find the file.
import { HeadwiseError } from './errors.js'

/** The imported module; a failure names the file, which lies in the package's dist folder. */
export async function imported<Module>(file: string, module: Promise<Module>): Promise<Module> {
  try {
    return await module
  } catch (cause) {
    throw new HeadwiseError(
      {
        code: 'NETWORK',
        argument: file,
        expected: 'the file of this package beside its others',
        received: `none that can be imported (${String(cause)})`,
      },
      { cause },
    )
  }
}
