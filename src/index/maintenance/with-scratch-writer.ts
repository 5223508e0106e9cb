import { join } from 'node:path'
import { errorCodeOf } from '../../lake/disk/disk.ts'
import type { OpenWriter } from '../../lake/ports/open-writer.ts'
import { openScratchFolder } from '../../lake/runs/run-folder.ts'

/**
 * Builds with a writer in a scratch folder below `building`, then removes the folder and those of killed builders.
 * Errors: Error when `building` cannot be written; those of the writer and of `build`.
 */
export async function withScratchWriter<Writer>(
  building: string,
  openWriter: OpenWriter<Writer>,
  signal: AbortSignal | undefined,
  build: (writer: Writer, folder: string) => Promise<void>,
): Promise<void> {
  const scratch = await openScratchFolder(building).catch((error) => {
    throw new Error(`${building} cannot be written (${errorCodeOf(error)})`, { cause: error })
  })
  try {
    const writer = await openWriter(join(scratch.folder, 'spill'), signal)
    try {
      await build(writer, scratch.folder)
    } finally {
      await writer.close()
    }
  } finally {
    await scratch.close()
  }
}
