import { stagingFolder } from '../lake/layout.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import { checkWritable, refuseUnwritable } from '../lake/unwritable.ts'
import { openStagingRun } from './staging.ts'
import type { Store, StoreWriter } from './store.ts'

/** `Writer` is what the work needs besides what every store does. */
export interface StoreRequest<Writer> {
  readonly lake: string
  readonly openWriter: OpenWriter<Writer & StoreWriter>
}

/** Works with a writer and a staging folder of one run, which go when the work is done. Errors: `lake_unwritable`. */
export async function usingStore<T, Writer>(
  { lake, openWriter }: StoreRequest<Writer>,
  work: (store: Store<Writer>) => Promise<T>,
): Promise<T> {
  await checkWritable(stagingFolder(lake)).catch((error) => refuseUnwritable(error, lake))
  const run = await openStagingRun(lake)
  try {
    const writer = await openWriter(run.folder)
    try {
      return await work({ lake, writer, run })
    } finally {
      await writer.close()
    }
  } catch (error) {
    return refuseUnwritable(error, lake)
  } finally {
    await run.close()
  }
}
