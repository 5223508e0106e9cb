import { createHash } from 'node:crypto'
import type { JsonObject } from '../../derive/json-writer.ts'
import type { TableSnapshot } from '../../lake/snapshot.ts'

/** What the lines of files need besides the log. */
interface FileOptions {
  /** Whether a version was asked for, which the lines then name. */
  readonly isPinned: boolean
  /** The address of a file, by its path in the table. */
  addressOf(path: string): string | undefined
  /** When addresses expire, milliseconds since 1970. */
  readonly expires: number
}

/** `protocol` and `metaData`, as the log describes the table. */
export function headLines(
  { resource, version, logged }: TableSnapshot,
  isPinned: boolean,
): readonly JsonObject[] {
  if (logged === undefined) return []
  const { metaData, live } = logged
  const size = [...live.values()].reduce((sum, file) => sum + file.size, 0)
  return [
    { protocol: { minReaderVersion: 1 } },
    {
      metaData: {
        ...{ id: metaData.id, name: resource.name, description: resource.doc },
        format: { provider: metaData.format.provider },
        schemaString: metaData.schemaString,
        partitionColumns: metaData.partitionColumns,
        ...(isPinned && { version }),
        ...{ size, numFiles: live.size },
      },
    },
  ]
}

/** A `file` for each path. */
export function fileLines(
  { resource, version, committedAt, logged }: TableSnapshot,
  paths: readonly string[],
  { isPinned, addressOf, expires }: FileOptions,
): readonly JsonObject[] {
  return paths.flatMap((path) => {
    const add = logged?.live.get(path)
    const url = addressOf(path)
    if (add === undefined || url === undefined) return []
    const { size, partitionValues, stats } = add
    const file = {
      ...{ url, id: idOf(resource.name, path) },
      ...{ partitionValues, size },
      ...(stats !== undefined && { stats }),
      ...(isPinned && { version, timestamp: committedAt }),
      expirationTimestamp: expires,
    }
    return [{ file }]
  })
}

/** The name of a data file is never used again in its table. */
function idOf(table: string, path: string): string {
  return createHash('sha256').update(`${table}/${path}`).digest('hex').slice(0, 32)
}
