import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { type ChunkedFile, chunkRowsOf, readChunks, writeChunks } from '../lake/chunk.ts'
import { replaceFile } from '../lake/disk.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { type OrderTable, orderTablesOf } from './order-tables.ts'

/** Changes when order tables are written in another way, so that those of another release are not used. */
const FORMAT = 1
const INDEX = 'orders.json'

/** The files of the order tables of one version of a table. */
export interface TableOrders {
  readonly copies: ReadonlyMap<string, OrderFiles>
  readonly pointers: ReadonlyMap<string, OrderFiles>
}

/** Files that follow each other in the order of their resource. */
interface OrderFiles {
  readonly resource: Resource
  readonly files: readonly ChunkedFile[]
}

interface WrittenFile {
  readonly name: string
  readonly bytes: number
  readonly chunks: string
}

interface WrittenTable {
  readonly column: string
  readonly as: OrderTable['as']
  readonly files: readonly WrittenFile[]
}

export function ordersFolder(stateFolder: string): string {
  return join(stateFolder, 'orders')
}

/** Order tables are those of the very files that they were made from, whatever the version of the table. */
export function folderOf(stateFolder: string, table: TableSnapshot): string {
  const tables = orderTablesOf(table.resource).map(
    ({ column, as, resource }) => `${as} ${column} ${chunkRowsOf(resource)}`,
  )
  const files = table.files.map((file) => file.sha256).sort()
  const digest = digestOf(JSON.stringify([FORMAT, table.resource.name, tables, files]))
  return join(ordersFolder(stateFolder), table.resource.name, digest)
}

/** Writes the index last: without it a folder holds nothing that is used. */
export async function writeIndex(
  folder: string,
  tables: readonly { readonly table: OrderTable; readonly files: readonly ChunkedFile[] }[],
): Promise<void> {
  const written = await Promise.all(
    tables.map(async ({ table: { column, as }, files }): Promise<WrittenTable> => {
      return { column, as, files: await Promise.all(files.map((file) => writeFileEntry(folder, file))) }
    }),
  )
  const text = JSON.stringify({ digest: digestOf(JSON.stringify(written)), tables: written })
  await replaceFile(join(folder, INDEX), text, join(folder, `${INDEX}.tmp`))
}

async function writeFileEntry(folder: string, { path, chunks }: ChunkedFile): Promise<WrittenFile> {
  const { size } = await stat(path)
  return { name: path.slice(folder.length + 1), bytes: size, chunks: writeChunks(chunks) }
}

/** The order tables of a folder; undefined when there are none, or when anything about them is not as it was written. */
export async function readIndex(folder: string, resource: Resource): Promise<TableOrders | undefined> {
  try {
    const text = await readFile(join(folder, INDEX), 'utf8')
    const { digest, tables } = JSON.parse(text) as { digest: string; tables: readonly WrittenTable[] }
    if (digestOf(JSON.stringify(tables)) !== digest) return undefined
    const copies = new Map<string, OrderFiles>()
    const pointers = new Map<string, OrderFiles>()
    for (const order of orderTablesOf(resource)) {
      const written = tables.find(({ column, as }) => column === order.column && as === order.as)
      if (written === undefined) return undefined
      const files = await Promise.all(
        written.files.map((file) => readFileEntry(folder, order.resource, file)),
      )
      const into = order.as === 'copy' ? copies : pointers
      into.set(order.column, { resource: order.resource, files })
    }
    return { copies, pointers }
  } catch {
    return undefined
  }
}

/** Errors: Error when the file is not there or has another size. */
async function readFileEntry(
  folder: string,
  resource: Resource,
  { name, bytes, chunks }: WrittenFile,
): Promise<ChunkedFile> {
  const path = join(folder, name)
  if ((await stat(path)).size !== bytes) throw new Error(`${path} has another size than when it was written`)
  return { path, chunks: readChunks(resource, chunks) }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
