import { existsSync } from 'node:fs'
import { open, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { entriesIn, hasCode, hashFile, linkInto, makeFolder } from '../../lake/disk/disk.ts'
import { isDataFilePath, isFactsPath } from '../../lake/disk/layout.ts'
import { changeAlone } from '../../lake/runs/change-alone.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { defaultRetryPolicy, type RetryPolicy, retryRequest } from '../object-store/retry-request.ts'
import type { LakeOrigin, OriginFile } from './origin.ts'

/** Where a lake is, and what it is a copy of. */
export interface LocalCopy {
  readonly lake: string
  readonly origin: LakeOrigin
  readonly patience?: RetryPolicy
}

/** Bytes may be damaged on the way; then all are fetched once more. */
const MOST_TRIES = 3
/** Another process may fetch the same file for so long. */
const MOST_WAIT_MS = 3_600_000

const partsFolder = (lake: string) => join(lake, '_parts')

/**
 * Brings a file that is not here, beginning where an earlier try broke off, and gives the bytes that were fetched. It appears whole, with the
 * digest that the log names. Errors: `StoreFault` of the origin; `lake_damaged` when other bytes come again and again.
 */
export async function bringFile(
  { lake, origin, patience = defaultRetryPolicy }: LocalCopy,
  file: OriginFile,
  signal: AbortSignal,
): Promise<number> {
  if (!isDataFilePath(file.path) && !isFactsPath(file.path))
    throw new Error(`${file.path} is no path of a file of a table`)
  const target = join(lake, file.table, file.path)
  if (existsSync(target)) return 0
  await makeFolder(partsFolder(lake))
  const part = join(partsFolder(lake), file.sha256)
  const fetching = changeAlone(
    part,
    async () => {
      if (existsSync(target)) return 0
      let fetched = 0
      for (let attempt = 1; ; attempt += 1) {
        fetched += await retryRequest(() => append(origin, file, part, signal), patience, signal)
        const actual = await hashFile(part)
        if (actual === file.sha256) break
        await rm(part)
        if (attempt === MOST_TRIES)
          fail(
            'lake_damaged',
            `${file.path} of ${file.table} came from ${origin.name} with the SHA-256 ${actual}, and the log says ${file.sha256}.`,
          )
      }
      await linkInto(part, target).catch((error) => {
        // Another process has brought it.
        if (!hasCode(error, ['EEXIST'])) throw error
      })
      await rm(part, { force: true })
      return fetched
    },
    MOST_WAIT_MS,
  )
  // Somebody who waits keeps it.
  return await fetching.finally(() => rmdir(`${part}.lock`).catch(() => {}))
}

/** Appends what a part lacks; gives the bytes that came. */
async function append(
  origin: LakeOrigin,
  file: OriginFile,
  part: string,
  signal: AbortSignal,
): Promise<number> {
  const handle = await open(part, 'a')
  try {
    let { size } = await handle.stat()
    if (size > file.bytes) {
      await handle.truncate(0)
      size = 0
    }
    const before = size
    if (size < file.bytes) {
      for await (const chunk of await origin.read(file, size, signal)) {
        if (chunk.length > file.bytes - size)
          throw new StoreFault('passing', `${file.path} of ${file.table} is longer than the log says`)
        await handle.appendFile(chunk)
        size += chunk.length
      }
      if (size < file.bytes)
        throw new StoreFault('passing', `${file.path} of ${file.table} broke off after ${size} bytes`)
    }
    await handle.sync()
    return size - before
  } finally {
    await handle.close()
  }
}

/** Removes what was fetched in part and is not fetched now. */
export async function removeParts(lake: string): Promise<void> {
  for (const { name } of await entriesIn(partsFolder(lake))) {
    const path = join(partsFolder(lake), name)
    if (name.endsWith('.lock')) await rmdir(path).catch(() => {})
    else if (!existsSync(`${path}.lock`)) await rm(path, { force: true })
  }
}
