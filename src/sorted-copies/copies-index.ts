import { randomUUID } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import type { DigestedFile } from '../integrity/verdict.ts'
import { type ChunkedFile, chunkRowsOf, readChunks, writeChunks } from '../lake/chunk.ts'
import { digestOf, hashFile, replaceFile } from '../lake/disk.ts'
import { readLogFile } from '../lake/log-entry.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { type SortedTable, sortedTablesOf } from './sorted-tables.ts'

/** Raised when sorted copies are written in another way, so that those of another release are not used. */
export const COPIES_FORMAT = 4
export const INDEX = 'orders.json'

/** The sorted copies of one version of a table, by the column they are sorted by. */
export interface TableCopies {
  /** What tells the index that named them from one that is written anew. */
  readonly index: string
  readonly copies: ReadonlyMap<string, SortedFiles>
  readonly pointers: ReadonlyMap<string, SortedFiles>
}

/** Files in the order of their resource. */
interface SortedFiles {
  readonly resource: Resource
  readonly files: readonly (ChunkedFile & DigestedFile)[]
}

interface WrittenFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly chunks: string
}

interface WrittenTable {
  readonly column: string
  readonly as: SortedTable['as']
  readonly files: readonly WrittenFile[]
}

export function copiesFolder(stateFolder: string): string {
  return join(stateFolder, 'orders')
}

/** The folder is named after the files and columns that sorted copies are made from, not after the version of the table. */
export function folderOf(stateFolder: string, table: TableSnapshot): string {
  const tables = sortedTablesOf(table.resource).map(
    ({ column, as, resource }) => `${as} ${column} ${chunkRowsOf(resource)}`,
  )
  const files = table.files.map((file) => file.sha256).sort()
  const columns = Object.keys(table.resource.columns)
  const digest = digestOf(JSON.stringify([COPIES_FORMAT, table.resource.name, columns, tables, files]))
  return join(copiesFolder(stateFolder), table.resource.name, digest)
}

/** Written last: a folder without an index is not used. The checksum includes the place, so a folder works in no other one. */
export async function writeIndex(
  folder: string,
  place: string,
  tables: readonly { readonly table: SortedTable; readonly files: readonly ChunkedFile[] }[],
): Promise<void> {
  const written = await Promise.all(
    tables.map(async ({ table: { column, as }, files }): Promise<WrittenTable> => {
      return { column, as, files: await Promise.all(files.map((file) => writeFileEntry(folder, file))) }
    }),
  )
  const text = JSON.stringify({ digest: digestOfIndex(place, written), tables: written })
  await replaceFile(join(folder, INDEX), text, join(folder, `${INDEX}.tmp`))
}

async function writeFileEntry(folder: string, { path, chunks }: ChunkedFile): Promise<WrittenFile> {
  const { size: bytes } = await stat(path)
  const sha256 = await hashFile(path)
  return { name: path.slice(folder.length + 1), bytes, sha256, chunks: JSON.stringify(writeChunks(chunks)) }
}

/**
 * After this the sorted copies of a folder are not used again, or those that are given, if they are still in it. In a folder
 * that cannot be written they stay.
 */
export async function dropIndex(folder: string, only?: TableCopies): Promise<void> {
  // Nobody can put another one in the place of what was moved.
  const moved = join(folder, `${INDEX}.${randomUUID()}`)
  try {
    await rename(join(folder, INDEX), moved)
    const isAnother = only !== undefined && (await identityOf(moved)) !== only.index
    await (isAnother ? rename(moved, join(folder, INDEX)) : rm(moved))
  } catch {
    // Another process has dropped it already.
  }
}

/** Moving a file changes neither. */
async function identityOf(path: string): Promise<string> {
  const { ino, mtimeNs } = await stat(path, { bigint: true })
  return `${ino} ${mtimeNs}`
}

/** What the index of a folder says. Errors: Error when it is missing or damaged. */
async function readWritten(folder: string): Promise<readonly WrittenTable[]> {
  const text = String(await readLogFile(join(folder, INDEX)))
  const { digest, tables }: { digest: string; tables: readonly WrittenTable[] } = JSON.parse(text)
  if (digestOfIndex(folder, tables) !== digest) throw new Error(`${join(folder, INDEX)} is damaged`)
  return tables
}

/** What is wrong with the index of a folder, or with a file that it names: a part of a sentence. */
export async function faultOfCopy(
  folder: string,
  resource: Resource,
  path: string,
): Promise<string | undefined> {
  const tables = await readWritten(folder).catch(() => undefined)
  if (path === join(folder, INDEX)) return tables === undefined ? 'is not as it was written' : undefined
  const written = tables?.flatMap(({ files }) => files).find(({ name }) => join(folder, name) === path)
  // Nothing reads what an older build wrote, without digests.
  if (written?.sha256 === undefined) return undefined
  const isSound = await readFileEntry(folder, resource, written).then(
    async ({ sha256 }) => (await hashFile(path)) === sha256,
    () => false,
  )
  return isSound ? undefined : 'is not as it was written'
}

/** The sorted copies of a folder; undefined when there are none, or when something about them is damaged. */
export async function readIndex(folder: string, resource: Resource): Promise<TableCopies | undefined> {
  try {
    const index = await identityOf(join(folder, INDEX))
    const tables = await readWritten(folder)
    const copies = new Map<string, SortedFiles>()
    const pointers = new Map<string, SortedFiles>()
    for (const table of sortedTablesOf(resource)) {
      const written = tables.find(({ column, as }) => column === table.column && as === table.as)
      if (written === undefined) return undefined
      const files = await Promise.all(
        written.files.map((file) => readFileEntry(folder, table.resource, file)),
      )
      const into = table.as === 'copy' ? copies : pointers
      into.set(table.column, { resource: table.resource, files })
    }
    return { index, copies, pointers }
  } catch {
    return undefined
  }
}

/** Its bytes are looked at before they are read. Errors: Error when the file is missing or has another size. */
async function readFileEntry(
  folder: string,
  resource: Resource,
  { name, bytes, sha256, chunks }: WrittenFile,
): Promise<ChunkedFile & DigestedFile> {
  const path = join(folder, name)
  const found = await stat(path)
  if (!found.isFile() || found.size !== bytes) throw new Error(`${path} is damaged`)
  return { path, bytes, sha256, isDerived: true, chunks: readChunks(resource, JSON.parse(chunks)) }
}

function digestOfIndex(place: string, tables: readonly WrittenTable[]): string {
  return digestOf(JSON.stringify([basename(place), tables]))
}
