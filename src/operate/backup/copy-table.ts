import { readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { digestOf, makeFolder, syncFolder, unlessMissing, writeSynced } from '../../lake/disk/disk.ts'
import {
  checkpointPath,
  factsPath,
  lastCheckpointPath,
  logEntryPath,
  logFolder,
  versionOfFile,
} from '../../lake/disk/layout.ts'
import { listLog, readLogFile } from '../../lake/log/log-entry.ts'
import { type CopyOptions, type CopyOutcome, copyFile, type Expected, tryLink } from './copy-file.ts'
import type { TableContent } from './table-content.ts'

export interface CopyRequest extends Omit<CopyOptions, 'earlier'> {
  /** Folders of the source lake, the copy and an older copy. */
  readonly from: string
  readonly to: string
  readonly earlier: string | undefined
  /** Called after each data file, with its bytes. */
  readonly onFile?: (outcome: CopyOutcome, bytes: number) => void
}

/** Thrown if a vacuum removed a live data file, or its facts, after a newer commit dropped the file. */
export class FileGone extends Error {
  readonly table: string
  /** The data file in the log. */
  readonly file: string
  /** Path of the missing file. */
  readonly path: string

  constructor(table: string, file: string, path: string) {
    super(`${path} of ${table} is gone`)
    this.table = table
    this.file = file
    this.path = path
  }
}

/**
 * Copies the data files of a table with their facts, then its log. Returns the copied paths, relative to the table.
 * Errors: `FileGone`, those of `copyFile`; `lake_damaged` if a log entry differs from `content`.
 */
export async function copyTable(content: TableContent, request: CopyRequest): Promise<ReadonlySet<string>> {
  const { from, to, earlier, onFile } = request
  const copied = new Set<string>()
  async function copy(path: string, expected: Expected, file = path): Promise<CopyOutcome> {
    const outcome = await copyFile(join(from, content.name, path), join(to, content.name, path), expected, {
      ...request,
      earlier: earlier && join(earlier, content.name, path),
    })
    if (outcome === 'gone' && content.files.get(file)?.isLive) throw new FileGone(content.name, file, path)
    if (outcome !== 'gone') copied.add(path)
    return outcome
  }
  for (const [path, file] of content.files) {
    const { facts } = file
    // A vacuum removes a data file before its facts, so every copied data file has its facts.
    if (facts !== undefined)
      await copy(factsPath('', facts.digest), { bytes: facts.bytes, sha256: facts.digest }, path)
    onFile?.(await copy(path, file), file.bytes)
  }
  const logs = [await copyEntries(content, request), await copyCheckpoints(content, request)]
  for (const folder of new Set([...copied, ...logs.flat()].map((path) => dirname(path))))
    await syncFolder(join(to, content.name, folder))
  return new Set([...copied, ...logs.flat()])
}

async function copyEntries(
  { name, entries }: TableContent,
  request: CopyRequest,
): Promise<readonly string[]> {
  const { from, to, earlier } = request
  await makeFolder(logFolder(join(to, name)))
  const paths: string[] = []
  for (const [number, digest] of entries.entries()) {
    const entryIn = (lake: string) => logEntryPath(join(lake, name), number)
    const [path, target] = [entryIn(from), entryIn(to)]
    const bytes = await readLogFile(path)
    if (bytes === undefined || digestOf(bytes) !== digest)
      fail(
        'lake_damaged',
        `${path} does not read as it did a moment ago; check the disk, or restore it from a copy.`,
      )
    await putEntry(bytes, target, entryIn(earlier ?? to), request.scratch)
    paths.push(target.slice(join(to, name).length + 1))
  }
  return paths
}

/** Stores a log entry. Links the entry of an older copy if its bytes are equal. */
async function putEntry(bytes: Buffer, target: string, older: string, scratch: string): Promise<void> {
  const has = async (path: string) => (await bytesOf(path))?.equals(bytes) === true
  if (await has(target)) return
  const temporary = join(scratch, 'entry')
  // A file linked by an older copy must never be overwritten.
  await rm(temporary, { force: true })
  const isLinked = (await has(older)) && (await tryLink(older, temporary))
  if (!isLinked) {
    await writeSynced(temporary, bytes)
  }
  await rename(temporary, target)
}

const bytesOf = (path: string) => readFile(path).catch(unlessMissing)

/** Copies the checkpoints that exist. A missing one loses nothing: the entries have the same content. */
async function copyCheckpoints(
  { name, version: last }: TableContent,
  { from, to, scratch }: CopyRequest,
): Promise<readonly string[]> {
  const table = join(from, name)
  const copied: string[] = []
  const copy = async (path: string) => {
    const relativePath = path.slice(table.length + 1)
    const unknown = { bytes: -1, sha256: undefined }
    const outcome = await copyFile(path, join(to, name, relativePath), unknown, { scratch })
    if (outcome !== 'gone') copied.push(relativePath)
  }
  for (const file of await listLog(table)) {
    const version = versionOfFile(file, 'checkpoint') ?? versionOfFile(file, 'snapshot')
    if (version !== undefined && version <= last) await copy(join(logFolder(table), file))
  }
  const pointer = await bytesOf(lastCheckpointPath(table))
  const named = checkpointPath(table, versionIn(pointer)).slice(table.length + 1)
  if (pointer === undefined || !copied.includes(named)) return copied
  const pointerPath = lastCheckpointPath(join(to, name))
  await putEntry(pointer, pointerPath, pointerPath, scratch)
  return [...copied, lastCheckpointPath(table).slice(table.length + 1)]
}

/** Returns the version that `_last_checkpoint` names, or NaN; other programs may have written the file. */
function versionIn(pointer: Buffer | undefined): number {
  return Number(/"version":(\d{1,15})/.exec(pointer?.toString() ?? '')?.[1] ?? Number.NaN)
}
