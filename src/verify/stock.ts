import { readdir } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { resourceNamed } from '../catalog/resources.ts'
import { usageFileOf } from '../keys/usage-file.ts'
import { Snapshot } from '../lake/snapshot.ts'
import type { Derived, DerivedFile } from '../maintenance/derived.ts'
import type { RowReader } from './check.ts'
import { readTable, type TableView } from './table-view.ts'
import { type FoundFile, filesBelow } from './walk.ts'

/** What is verified. */
export interface Target {
  readonly lake: string
  readonly state: string
  readonly keyFile: string
  readonly derived: readonly Derived[]
  /** Opened for the first file that rows are read of. */
  readonly openReader: () => Promise<RowReader & { close(): Promise<void> }>
}

/** What there is, and what the logs say of it. */
export interface Stock {
  readonly target: Target
  readonly files: readonly FoundFile[]
  readonly tables: readonly TableView[]
  /** Folders of tables that have files and no log. */
  readonly withoutLog: readonly string[]
  /** The tables whose logs can be read. */
  readonly at: Snapshot
  readonly derived: ReadonlyMap<string, DerivedFile>
  /** A path as findings name it. */
  readonly tell: (path: string) => string
}

/** Files are listed before the logs are read, so that what is committed meanwhile is not taken for a leftover. */
export async function takeStock(target: Target): Promise<Stock> {
  const { lake, state, keyFile } = target
  const files = await listFiles(lake, state, keyFile)
  const folders = new Set(files.flatMap(({ path }) => tableOf(lake, path) ?? []))
  const tables: TableView[] = []
  const withoutLog: string[] = []
  for (const name of [...folders].sort()) {
    const hasLog = (await readdir(join(lake, name, '_delta_log')).catch(() => [])).length > 0
    if (hasLog) tables.push(await readTable(lake, name))
    else if (resourceNamed(name) !== undefined) withoutLog.push(name)
  }
  const at = new Snapshot(tables.flatMap((table) => table.at ?? []))
  const tell = (path: string) => (isInside(lake, path) ? relative(lake, path) : path)
  return { target, files, tables, withoutLog, at, derived: await derivedFiles(target, at), tell }
}

async function listFiles(lake: string, state: string, keyFile: string): Promise<readonly FoundFile[]> {
  const files = [...(await filesBelow(lake))]
  if (!isInside(lake, state)) files.push(...(await filesBelow(state)))
  if (!isInside(lake, keyFile)) {
    const own = [keyFile, usageFileOf(keyFile)]
    const beside = await filesBelow(dirname(keyFile))
    const counts = `${usageFileOf(keyFile)}.log/`
    files.push(...beside.filter(({ path }) => own.includes(path) || path.startsWith(counts)))
  }
  return files
}

/** The name of the table whose folder a file lies in. */
function tableOf(lake: string, path: string): string | undefined {
  if (!isInside(lake, path)) return undefined
  const [name = '', ...rest] = relative(lake, path).split('/')
  return rest.length === 0 || /^[._]/.test(name) ? undefined : name
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !way.startsWith('..') && !isAbsolute(way)
}

/** Looked up anew by whoever checks a file once more, since what one of them was compared with is kept. */
export async function derivedFiles(
  { derived }: Target,
  at: Snapshot,
): Promise<ReadonlyMap<string, DerivedFile>> {
  const found = new Map<string, DerivedFile>()
  for (const one of derived) for (const file of await one.files(at)) found.set(file.path, file)
  return found
}
