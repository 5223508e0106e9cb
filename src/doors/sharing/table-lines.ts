import { createHash } from 'node:crypto'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ResponseFormat } from './send-lines.ts'

interface LineOptions {
  readonly format: ResponseFormat
  /** True if the request names a version; the lines then have it too. */
  readonly isPinned: boolean
}

interface FileOptions extends LineOptions {
  /** Returns the signed address of a path. */
  addressOf(path: string): string | undefined
  /** Milliseconds since 1970. */
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
  const common = { ...(isPinned && { version }), size, numFiles: live.size }
  if (format === 'delta')
    return [{ protocol: { deltaProtocol: protocol } }, { metaData: { ...common, deltaMetadata: metaData } }]
  return [
    { protocol: { minReaderVersion: protocol.minReaderVersion } },
    {
      metaData: {
        ...{ id: metaData.id, name: resource.name, description: resource.doc },
        format: { provider: metaData.format.provider },
        schemaString: metaData.schemaString,
        partitionColumns: metaData.partitionColumns,
        ...common,
      },
    },
  ]
}

export function fileLines(
  { resource, version, committedAt, logged }: TableSnapshot,
  paths: readonly string[],
  { format, isPinned, addressOf, expires }: FileOptions,
): readonly JsonObject[] {
  return paths.flatMap((path): readonly JsonObject[] => {
    const add = logged?.live.get(path)
    const url = addressOf(path)
    if (add === undefined || url === undefined) return []
    // Tags are internal.
    const { path: _path, tags: _tags, ...fields } = add
    const { size, partitionValues, stats } = fields
    const id = idOf(resource.name, path)
    const common = { ...(isPinned && { version, timestamp: committedAt }), expirationTimestamp: expires }
    if (format === 'delta')
      return [{ file: { id, size, ...common, deltaSingleAction: { add: { path: url, ...fields } } } }]
    return [{ file: { url, id, partitionValues, size, ...(stats !== undefined && { stats }), ...common } }]
  })
}

/** File names are never reused within a table. */
function idOf(table: string, path: string): string {
  return createHash('sha256').update(`${table}/${path}`).digest('hex').slice(0, 32)
}
