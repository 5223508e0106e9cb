import { createHash, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Export } from '../../answers/export/export-list.ts'
import { noteFailure } from '../../base/background.ts'
import type { CheckedFiles } from '../../lake/integrity/checked-files.ts'
import type { DigestedFile } from '../../lake/integrity/verdict.ts'
import { shareWork } from '../concurrency/shared-work.ts'
import type { Download } from './download.ts'
import { openFileBody } from './file-body.ts'

/** A finished export on disk. */
export interface MadeFile extends DigestedFile {
  readonly rows: number
}

/** Finished exports on disk, by strong ETag. They have a length and support ranges. */
export type MadeFiles = ReturnType<typeof openMadeFiles>

const PART = '.part'
/** Unchanged for this long, a part belongs to a dead process. */
const ABANDONED_MS = 3_600_000
/** `TAG.ROWS.BYTES.SHA256` */
const NAME = /^([\w-]+)\.(\d+)\.(\d+)\.([\da-f]{64})$/

/**
 * Opens a folder shared by all processes of a server. It removes the oldest files beyond `mostBytes`; unfinished files of this
 * process may take as much again.
 */
export function openMadeFiles(
  folder: string,
  mostBytes: number,
  checkedFiles: Pick<CheckedFiles, 'read' | 'stream'>,
) {
  const jobs = shareWork<MadeFile | undefined>()
  let unfinishedBytes = 0

  const fileOf = (name: string): MadeFile | undefined => {
    const [, , rows, bytes, sha256 = ''] = NAME.exec(name) ?? []
    if (rows === undefined || bytes === undefined) return undefined
    return { path: join(folder, name), rows: Number(rows), bytes: Number(bytes), sha256, isDerived: true }
  }

  function nameOf(tag: string): string | undefined {
    try {
      return readdirSync(folder).find((name) => name.startsWith(`${tag}.`) && NAME.test(name))
    } catch {
      return undefined
    }
  }

  /** Finds an undamaged file; removes a damaged one. */
  async function find(tag: string, signal: AbortSignal): Promise<MadeFile | undefined> {
    const file = fileOf(nameOf(tag) ?? '')
    if (file === undefined) return undefined
    try {
      return await checkedFiles.read([file], async () => file, signal)
    } catch {
      signal.throwIfAborted()
      await rm(file.path, { force: true })
      return undefined
    }
  }

  async function write(tag: string, { rows, bytes }: Export): Promise<MadeFile | undefined> {
    const part = join(folder, `${randomUUID()}${PART}`)
    let partBytes = 0
    const reserve = (length: number) => {
      partBytes += length
      unfinishedBytes += length
      return unfinishedBytes <= mostBytes
    }
    try {
      const written = await writePieces(part, bytes(), reserve)
      if (written === undefined) return undefined
      const name = `${tag}.${rows}.${written.bytes}.${written.sha256}`
      await rename(part, join(folder, name))
      await removeOldest(folder, mostBytes - unfinishedBytes, name)
      return fileOf(name)
    } catch (error) {
      if (!isDiskError(error)) throw error
      noteFailure('keeping a file', error)
      return undefined
    } finally {
      unfinishedBytes -= partBytes
      await rm(part, { force: true }).catch(() => {})
    }
  }

  return {
    has: (tag: string): boolean => nameOf(tag) !== undefined,
    find,
    /**
     * Finds a file or makes it, once for concurrent calls. Returns undefined if it does not fit on disk.
     * Errors: those of `make`; the reason of the signal.
     */
    findOrMake: (tag: string, signal: AbortSignal, make: (signal: AbortSignal) => Promise<Export>) =>
      jobs.run(
        tag,
        signal,
        async (shared) => (await find(tag, shared)) ?? (await write(tag, await make(shared))),
      ),
    /**
     * Opens the body of a response. Returns undefined for a range outside the file, and `gone` if the file was missing or damaged;
     * a damaged file is removed. Errors: the reason of the signal.
     */
    async body(file: MadeFile, tag: string, download: Download): Promise<Readable | 'gone' | undefined> {
      try {
        return await openFileBody(checkedFiles, file, tag, download)
      } catch {
        download.signal.throwIfAborted()
        await rm(file.path, { force: true })
        return 'gone'
      }
    },
  }

  /** Returns undefined if the file does not fit. */
  async function writePieces(
    path: string,
    pieces: AsyncIterable<Uint8Array>,
    reserve: (bytes: number) => boolean,
  ) {
    await mkdir(folder, { recursive: true })
    const digest = createHash('sha256')
    const handle = await open(path, 'wx', 0o600)
    let bytes = 0
    try {
      for await (const piece of pieces) {
        if (!reserve(piece.length)) return undefined
        bytes += piece.length
        digest.update(piece)
        await handle.writeFile(piece)
      }
    } finally {
      await handle.close()
    }
    return { bytes, sha256: digest.digest('hex') }
  }
}

/** Removes the oldest files beyond `mostBytes`, and abandoned parts. Open readers are not affected. */
async function removeOldest(folder: string, mostBytes: number, newest: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== newest)
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }))
      return { name, size, mtimeMs }
    }),
  )
  let freeBytes = mostBytes
  for (const { name, size, mtimeMs } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    if (name.endsWith(PART) && Date.now() - mtimeMs < ABANDONED_MS) continue
    freeBytes -= size
    if (freeBytes < 0 || name.endsWith(PART)) await rm(join(folder, name), { force: true })
  }
}

/** True for a full or read-only folder. */
const isDiskError = (error: unknown) => error instanceof Error && 'syscall' in error
