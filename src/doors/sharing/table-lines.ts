import { createHash } from 'node:crypto'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ResponseFormat } from './response-format.ts'

/** How lines about a table are written. */
interface LineOptions {
  readonly format: ResponseFormat
  /** Whether a version was asked for, which the lines then name. */
  readonly isPinned: boolean
}

/** What the lines of files need besides the log. */
interface FileOptions extends LineOptions {
  /** The address of a file, by its path in the table. */
  addressOf(path: string): string | undefined
  /** When addresses expire, milliseconds since 1970. */
  readonly expires: number
}

/** `protocol` and `metaData`, as the log describes the table. */
export function headLines(
  { resource, version, logged }: TableSnapshot,
  { format, isPinned }: LineOptions,
): readonly JsonObject[] {
  if (logged === undefined) return []
  const { protocol, metaData, live } = logged
  const size = [...live.values()].reduce((sum, file) => sum + file.size, 0)
  const whole = { ...(isPinned && { version }), size, numFiles: live.size }
  if (format === 'delta')
    return [{ protocol: { deltaProtocol: protocol } }, { metaData: { ...whole, deltaMetadata: metaData } }]
  return [
    { protocol: { minReaderVersion: protocol.minReaderVersion } },
    {
      metaData: {
        ...{ id: metaData.id, name: resource.name, description: resource.doc },
        format: { provider: metaData.format.provider },
        schemaString: metaData.schemaString,
        partitionColumns: metaData.partitionColumns,
        ...whole,
      },
    },
  ]
}

/** A `file` for each path. */
export function fileLines(
  { resource, version, committedAt, logged }: TableSnapshot,
  paths: readonly string[],
  { format, isPinned, addressOf, expires }: FileOptions,
): readonly JsonObject[] {
  return paths.flatMap((path): readonly JsonObject[] => {
    const add = logged?.live.get(path)
    const url = addressOf(path)
    if (add === undefined || url === undefined) return []
    // Tags are for this program alone.
    const { path: _path, tags: _tags, ...told } = add
    const { size, partitionValues, stats } = told
    const id = idOf(resource.name, path)
    const given = { ...(isPinned && { version, timestamp: committedAt }), expirationTimestamp: expires }
    if (format === 'delta')
      return [{ file: { id, size, ...given, deltaSingleAction: { add: { path: url, ...told } } } }]
    return [{ file: { url, id, partitionValues, size, ...(stats !== undefined && { stats }), ...given } }]
  })
}

/** The name of a data file is never used again in its table. */
function idOf(table: string, path: string): string {
  return createHash('sha256').update(`${table}/${path}`).digest('hex').slice(0, 32)
}
