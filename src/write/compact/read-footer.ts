import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { refuseDamaged } from '../store/sound-files.ts'
import type { Store } from '../store/store.ts'

/** Footers of compacted files are shorter. */
const USUAL_FOOTER = 65_536
/** The length of the footer, four bytes, and `PAR1`. */
const TRAILER = 8
const MAGIC = 'PAR1'

/**
 * Reads what the footer of a data file says, by a path. Of a file that is in a bucket and not here only the footer is fetched, since most files are not
 * rewritten. Errors: those of `read` and of the remote; `lake_damaged`.
 */
export async function readFooter<T>(
  { run, remote }: Pick<Store, 'run' | 'remote'>,
  file: DataFile,
  read: (path: string) => Promise<T>,
): Promise<T> {
  if (remote === undefined) return await read(file.path)
  const sparse = join(run.folder, `footer-${file.sha256}`)
  try {
    if (existsSync(file.path)) return await read(file.path)
    let end = await remote.readEnd(file, USUAL_FOOTER)
    const needed = end.length < TRAILER ? 0 : end.readUInt32LE(end.length - TRAILER) + TRAILER
    if (needed > end.length && needed < file.bytes) end = await remote.readEnd(file, needed)
    await writeSparse(sparse, file.bytes, end)
    return await read(sparse)
  } catch {
    // The whole file is compared with its checksum before it is called damaged.
    await refuseDamaged([file], remote)
    return await read(file.path)
  } finally {
    await rm(sparse, { force: true })
  }
}

/** A file of zeros that begins and ends as the other. */
async function writeSparse(path: string, bytes: number, end: Buffer): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.write(MAGIC, 0)
    await file.write(end, 0, end.length, Math.max(0, bytes - end.length))
  } finally {
    await file.close()
  }
}
