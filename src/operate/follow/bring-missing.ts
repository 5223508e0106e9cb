import { rm } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { fail } from '../../base/errors.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { bringFile, type LocalCopy } from './bring-file.ts'
import { makeRoom } from './make-room.ts'

/** A data file by its path in the copy. */
interface LocalFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

const never = new AbortController().signal

/**
 * Downloads a data file that is missing or damaged. Data files of the copy use at most `most` bytes; 0: unlimited. A
 * file that no longer exists at the origin stays missing.
 * Errors: `not_ready` if the origin cannot serve it now; `lake_damaged`.
 */
export async function bringMissing(
  copy: LocalCopy,
  { path, bytes, sha256 }: LocalFile,
  most = 0,
  signal = never,
): Promise<void> {
  const { lake, origin } = copy
  const [table = '', ...rest] = relative(lake, path).split(sep)
  try {
    await rm(path, { force: true })
    if (most > 0) await makeRoom(lake, bytes, most)
    await bringFile(copy, { table, path: rest.join('/'), bytes, sha256 }, signal)
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    if (error.kind === 'changed') return
    const sentence = `${relative(lake, path)} of the lake cannot be fetched from ${origin.name} now. Ask again in a moment.`
    fail('not_ready', sentence, { cause: error })
  }
}
