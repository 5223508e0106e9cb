import { rm } from 'node:fs/promises'
import { relative } from 'node:path'
import { fail } from '../../base/errors.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { bringFile, type LocalCopy, type LocalFile, originFileOf } from './bring-file.ts'
import { makeRoom } from './make-room.ts'

/**
 * Downloads a data file that is missing or damaged. Data files of the copy use at most `most` bytes; 0: unlimited. A
 * file that no longer exists at the origin stays missing.
 * Errors: `not_ready` if the origin cannot serve it now; `lake_damaged`.
 */
export async function bringMissing(copy: LocalCopy, file: LocalFile, most = 0): Promise<void> {
  const { lake, origin } = copy
  try {
    await rm(file.path, { force: true })
    if (most > 0) await makeRoom(lake, file.bytes, most)
    await bringFile(copy, originFileOf(lake, file))
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    if (error.kind === 'changed') return
    const sentence = `${relative(lake, file.path)} of the lake cannot be fetched from ${origin.name} now. Ask again in a moment.`
    fail('not_ready', sentence, { cause: error })
  }
}
