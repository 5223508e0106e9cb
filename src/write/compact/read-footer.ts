import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { refuseDamaged } from '../store/refuse-damaged.ts'
import type { Store } from '../store/store.ts'

/** Compacted files have shorter footers. */
const USUAL_FOOTER = 65_536
/** Footer length (four bytes) and `PAR1`. */
const TRAILER = 8
const MAGIC = 'PAR1'

/**
 * Runs `read` with a path whose footer is that of the data file. For a file only in the bucket, fetches the footer
 * alone, because most files need no rewrite.
 * Errors: those of `read` and of the remote; `lake_damaged`.
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
    // Verify the checksum of the whole file before reporting damage.
    await refuseDamaged([file], remote)
    return await read(file.path)
  } finally {
    await rm(sparse, { force: true })
  }
}

/** Writes a sparse file with the given end. */
async function writeSparse(path: string, bytes: number, end: Buffer): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.write(MAGIC, 0)
    await file.write(end, 0, end.length, Math.max(0, bytes - end.length))
  } finally {
    await file.close()
  }
}
