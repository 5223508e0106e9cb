import { stagingFolder } from '../lake/layout.ts'
import type { RowWriter } from '../lake/row-writer.ts'
import { checkWritable, refuseUnwritable } from '../lake/unwritable.ts'
import { openStagingRun } from './staging.ts'
import type { Store } from './store.ts'

export interface StoreRequest {
  readonly lake: string
  /** Makes the writer; its spill goes into the folder given. */
  readonly openWriter: (spillFolder: string) => Promise<RowWriter>
}

/** Works with a writer and a staging folder of one run, which go when the work is done. Errors: `lake_unwritable`. */
export async function usingStore<T>(
  { lake, openWriter }: StoreRequest,
  work: (store: Store) => Promise<T>,
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
