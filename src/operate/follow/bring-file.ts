import { existsSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fail } from '../../base/errors.ts'
import { entriesIn, hasCode, hashFile, linkInto, makeFolder } from '../../lake/disk/disk.ts'
import { isDataFilePath, isFactsPath } from '../../lake/disk/layout.ts'
import { changeAlone } from '../../lake/runs/change-alone.ts'
import { downloadPart, type Sink } from '../object-store/download-part.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { defaultRetryPolicy, type RetryPolicy, retryRequest } from '../object-store/retry-request.ts'
import type { LakeOrigin, OriginFile } from './origin.ts'

/** Folder of a copied lake, and its origin. */
export interface LocalCopy {
  readonly lake: string
  readonly origin: LakeOrigin
  readonly patience?: RetryPolicy
  /** Aborts requests and waits; default: nothing does. */
  readonly signal?: AbortSignal
}

const never = new AbortController().signal

/** Sends a request to the origin of a copy, and retries it. */
export function fromOrigin<T>(
  { origin, patience = defaultRetryPolicy, signal = never }: LocalCopy,
  request: (origin: LakeOrigin, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return retryRequest(() => request(origin, signal), patience, signal)
}

/** A data file by its path in the copy. */
export type LocalFile = Omit<OriginFile, 'table'>

/** Returns the file of the origin that a data file of the copy is equal to. */
export function originFileOf(lake: string, { path, bytes, sha256 }: LocalFile): OriginFile {
  const [table = '', ...rest] = relative(lake, path).split(sep)
  return { table, path: rest.join('/'), bytes, sha256 }
}

/** Longest wait for another process that downloads the same file. */
const MOST_WAIT_MS = 3_600_000

const partsFolder = (lake: string) => join(lake, '_parts')

/**
 * Downloads a missing file, resuming an earlier attempt, and returns the number of bytes fetched. The file is linked
 * into place after its digest is verified.
 * Errors: `StoreFault` of the origin; `lake_damaged` if repeated downloads have another digest.
 */
export async function bringFile(copy: LocalCopy, file: OriginFile): Promise<number> {
  const { lake, origin } = copy
  if (!isDataFilePath(file.path) && !isFactsPath(file.path))
    throw new Error(`${file.path} is not the path of a file of a table`)
  const target = join(lake, file.table, file.path)
  if (existsSync(target)) return 0
  await makeFolder(partsFolder(lake))
  const part = join(partsFolder(lake), file.sha256)
  const fetching = changeAlone(
    part,
    async () => {
      if (existsSync(target)) return 0
      let fetched = 0
      const label = `${file.path} of ${file.table}`
      const damage = await downloadPart({
        ...{ part, label, bytes: file.bytes },
        async receive(sink) {
          const before = sink.bytes()
          await fromOrigin(copy, () => append(copy, file, label, sink))
          fetched += sink.bytes() - before
        },
        async findDamage() {
          const actual = await hashFile(part)
          if (actual === file.sha256) return undefined
          return `${label} came from ${origin.name} with the SHA-256 ${actual}, and the log says ${file.sha256}.`
        },
      })
      if (damage !== undefined) fail('lake_damaged', damage)
      await linkInto(part, target).catch((error) => {
        // Another process has downloaded it.
        if (!hasCode(error, ['EEXIST'])) throw error
      })
      await rm(part, { force: true })
      return fetched
    },
    MOST_WAIT_MS,
  )
  // A process that waits for the lock keeps it.
  return await fetching.finally(() => rmdir(`${part}.lock`).catch(() => {}))
}

async function append(
  { origin, signal = never }: LocalCopy,
  file: OriginFile,
  label: string,
  sink: Sink,
): Promise<void> {
  if (sink.bytes() === file.bytes) return
  for await (const chunk of await origin.read(file, sink.bytes(), signal)) await sink.write(chunk)
  if (sink.bytes() < file.bytes)
    throw new StoreFault('passing', `${label} broke off after ${sink.bytes()} bytes`)
}

/** Removes partial files that no process is downloading. */
export async function removeParts(lake: string): Promise<void> {
  for (const { name } of await entriesIn(partsFolder(lake))) {
    const path = join(partsFolder(lake), name)
    if (name.endsWith('.lock')) await rmdir(path).catch(() => {})
    else if (!existsSync(`${path}.lock`)) await rm(path, { force: true })
  }
}
