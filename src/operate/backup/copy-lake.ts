import { readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import type { CopyOutcome } from './copy-file.ts'
import { type CopyRequest, copyTable, FileGone } from './copy-table.ts'
import { readTableContent, type TableContent, tableNames } from './table-content.ts'

export interface LakeCopy {
  readonly tables: readonly TableContent[]
  /** Data files and bytes, by outcome. */
  readonly files: Readonly<
    Record<'copied' | 'linked' | 'kept', { readonly files: number; readonly bytes: number }>
  >
  /** Number of restarts from a newer snapshot, after a vacuum removed a file of the previous one. */
  readonly restarts: number
}

export interface LakeCopyRequest extends Omit<CopyRequest, 'onFile'> {
  /** The versions to copy; default: the newest. */
  readonly versions?: ReadonlyMap<string, number> | undefined
  /** Called with the tables before any file is copied. */
  readonly check?: (tables: readonly TableContent[]) => Promise<void>
  readonly onProgress?: ((bytes: number, of: number) => void) | undefined
}

/**
 * Copies one snapshot of every table into a folder, and the remaining files of older snapshots. Removes all other files
 * in the tables of that folder. Concurrent commits and vacuums are safe.
 * Errors: those of `readTableContent` and `copyTable`; `lake_damaged` if a file of the newest snapshot is missing.
 */
export async function copyLake(request: LakeCopyRequest): Promise<LakeCopy> {
  let missing: FileGone | undefined
  for (let restarts = 0; ; restarts += 1) {
    const tables = await contentsOf(request)
    refuseMissing(request.from, tables, missing)
    await request.check?.(tables)
    await refuseTooLarge(request, tables)
    try {
      const files = await copyTables(tables, request)
      return { tables, files, restarts }
    } catch (error) {
      if (!(error instanceof FileGone)) throw error
      missing = error
    }
  }
}

async function contentsOf({ from, versions }: LakeCopyRequest): Promise<readonly TableContent[]> {
  const tables: TableContent[] = []
  for (const name of versions === undefined ? await tableNames(from) : versions.keys())
    tables.push(await readTableContent(from, name, versions?.get(name)))
  return tables
}

function refuseMissing(lake: string, tables: readonly TableContent[], missing: FileGone | undefined): void {
  if (missing === undefined) return
  const file = tables.find(({ name }) => name === missing.table)?.files.get(missing.file)
  if (file?.isLive !== true) return
  const path = join(lake, missing.table, missing.path)
  fail('lake_damaged', `${path} is missing; put the file of an older copy in its place.`)
}

async function copyTables(
  tables: readonly TableContent[],
  request: LakeCopyRequest,
): Promise<LakeCopy['files']> {
  const { to, onProgress } = request
  const dataFiles = tables.flatMap(({ files }) => [...files.values()])
  const total = dataFiles.reduce((sum, { bytes }) => sum + bytes, 0)
  const counts = { copied: noFiles(), linked: noFiles(), kept: noFiles() }
  let done = 0
  const onFile = (outcome: CopyOutcome, bytes: number) => {
    if (outcome === 'gone') return
    counts[outcome].files += 1
    counts[outcome].bytes += bytes
    done += bytes
    onProgress?.(done, total)
  }
  for (const content of tables) {
    const paths = await copyTable(content, { ...request, onFile })
    await removeUnnamed(join(to, content.name), '', paths)
  }
  const names = new Set(tables.map(({ name }) => name))
  for (const name of await readdir(to))
    if (!/^[._]/.test(name) && !names.has(name)) await rm(join(to, name), { recursive: true })
  return counts
}

const noFiles = () => ({ files: 0, bytes: 0 })

/** Removes files that this snapshot does not name, such as those of an interrupted copy of an older one. */
async function removeUnnamed(folder: string, below: string, paths: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) await removeUnnamed(folder, path, paths)
    else if (!paths.has(path)) await rm(join(folder, path), { force: true })
  }
}

/** Throws before copying if the files do not fit on the disk. */
async function refuseTooLarge(request: LakeCopyRequest, tables: readonly TableContent[]): Promise<void> {
  const { to, earlier, link } = request
  if (link) return
  let needed = 0
  for (const { name, files } of tables) {
    const there = new Set<string>()
    for (const lake of earlier === undefined ? [to] : [to, earlier])
      for (const path of await readdir(join(lake, name), { recursive: true }).catch(() => [])) there.add(path)
    for (const [path, { bytes, isLive }] of files) if (isLive && !there.has(path)) needed += bytes
  }
  const { bavail, bsize } = await statfs(to)
  if (needed <= bavail * bsize) return
  fail(
    'lake_unwritable',
    `No space is left in ${to}: ${needed} bytes have to be copied and ${bavail * bsize} are free; make room and run it again.`,
  )
}
