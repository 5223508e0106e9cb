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
import { bodyOfFile } from './parts-of-file.ts'
import type { Taking } from './taken.ts'

/** A whole list on the disk, whose name tells its rows. */
export interface MadeFile extends DigestedFile {
  readonly rows: number
}

/** Whole lists as files on the disk, by their strong tags, so that their length is known and parts of them can be sent. */
export interface MadeFiles {
  /** Whether a file was made before. */
  has(tag: string): boolean
  /** A file that was made before. */
  find(tag: string, signal: AbortSignal): Promise<MadeFile | undefined>
  /**
   * A file, made now if it is not there; who asks at the same time shares the work. Undefined where there is no room for it.
   * Errors: those of `make`; the reason of the signal.
   */
  of(
    tag: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<Export>,
  ): Promise<MadeFile | undefined>
  /**
   * The body of a response with such a file. Undefined for a range that it has none of. `gone` when the file was removed or
   * damaged before its first byte; then nothing of it is left. Errors: the reason of the signal.
   */
  body(file: MadeFile, tag: string, taking: Taking): Promise<Readable | 'gone' | undefined>
}

const PART = '.part'
/** A part that nobody wrote to for so long was left by a process that ended. */
const ABANDONED_MS = 3_600_000
/** `TAG.ROWS.BYTES.SHA256` */
const NAME = /^([\w-]+)\.(\d+)\.(\d+)\.([\da-f]{64})$/

/**
 * Keeps at most so many bytes in a folder that all processes of a server share; files made first go first. Files that this
 * process is making have together at most as many again.
 */
export function openMadeFiles(
  folder: string,
  mostBytes: number,
  checkedFiles: Pick<CheckedFiles, 'read' | 'stream'>,
): MadeFiles {
  const underWay = shareWork<MadeFile | undefined>()
  /** Bytes of the files that are being made. */
  let bytesUnderWay = 0

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

  /** A file whose bytes are those that were written. A damaged one is removed, and made again. */
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
    let room = 0
    const takeRoom = (length: number) => {
      room += length
      bytesUnderWay += length
      return bytesUnderWay <= mostBytes
    }
    try {
      const written = await writePieces(part, bytes(), takeRoom)
      if (written === undefined) return undefined
      const name = `${tag}.${rows}.${written.bytes}.${written.sha256}`
      await rename(part, join(folder, name))
      await makeRoom(folder, mostBytes - bytesUnderWay, name)
      return fileOf(name)
    } catch (error) {
      if (!isOfDisk(error)) throw error
      noteFailure('keeping a file', error)
      return undefined
    } finally {
      bytesUnderWay -= room
      await rm(part, { force: true }).catch(() => {})
    }
  }

  return {
    has: (tag) => nameOf(tag) !== undefined,
    find,
    of: (tag, signal, make) =>
      underWay.run(
        tag,
        signal,
        async (shared) => (await find(tag, shared)) ?? (await write(tag, await make(shared))),
      ),
    async body(file, tag, taking) {
      try {
        return await bodyOfFile(checkedFiles, file, tag, taking)
      } catch {
        taking.signal.throwIfAborted()
        await rm(file.path, { force: true })
        return 'gone'
      }
    },
  }

  /** Returns undefined for a file that there is no room for. */
  async function writePieces(
    path: string,
    pieces: AsyncIterable<Uint8Array>,
    takeRoom: (bytes: number) => boolean,
  ) {
    await mkdir(folder, { recursive: true })
    const digest = createHash('sha256')
    const handle = await open(path, 'wx', 0o600)
    let bytes = 0
    try {
      for await (const piece of pieces) {
        if (!takeRoom(piece.length)) return undefined
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

/** Removes the oldest files but the newest until the rest fits, and parts that were left. A reader of one goes on. */
async function makeRoom(folder: string, mostBytes: number, newest: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== newest)
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }))
      return { name, size, mtimeMs }
    }),
  )
  let left = mostBytes
  for (const { name, size, mtimeMs } of files.sort((one, other) => other.mtimeMs - one.mtimeMs)) {
    if (name.endsWith(PART) && Date.now() - mtimeMs < ABANDONED_MS) continue
    left -= size
    if (left < 0 || name.endsWith(PART)) await rm(join(folder, name), { force: true })
  }
}

/** Whether a folder cannot be written, or is full. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
