import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type ExactRow, readExactRows } from '../tables/delta-table.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** Options of a test server that shares its lake with everybody, unless they say otherwise. */
export function sharingOf(lake: string, { linkMs = 3_600_000, isOpen = true, secret = 7 } = {}) {
  return { sharing: { lake, secret: Buffer.alloc(32, secret), linkMs, isOpen } }
}

export const share = '/delta-sharing/shares/ledgerlake'
export const tables = `${share}/schemas/default/tables`

/** A `file` of a reply. */
export interface FileLine {
  readonly url: string
  readonly id: string
  readonly partitionValues: Readonly<Record<string, string>>
  readonly size: number
  readonly stats: string
  readonly version?: number
  readonly timestamp?: number
  readonly expirationTimestamp: number
}

interface Asking {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks for the files of a table. */
export async function query(
  server: FastifyInstance,
  table: string,
  body: object = {},
  { key, headers = {} }: Asking = {},
) {
  const reply = await server.inject({
    method: 'POST',
    url: `${tables}/${table}/query`,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    payload: JSON.stringify(body),
  })
  const lines = reply.statusCode === 200 ? reply.body.trimEnd().split('\n') : []
  const files = lines.slice(2).map((line) => JSON.parse(line).file as FileLine)
  return { status: reply.statusCode, text: reply.body, headers: reply.headers, lines, files }
}

/** The part of an address that the server is asked with. */
export const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

/** The rows of files as a reader of Parquet has them that is not this program's. */
export async function rowsOf(
  server: FastifyInstance,
  files: readonly FileLine[],
): Promise<readonly ExactRow[]> {
  const folder = await temporaryFolder()
  const rows: ExactRow[] = []
  for (const [place, { url }] of files.entries()) {
    const { statusCode, rawPayload } = await server.inject(pathOf(url))
    if (statusCode !== 200) throw new Error(`${url} is ${statusCode}`)
    const path = join(folder, `${place}.parquet`)
    writeFileSync(path, rawPayload)
    rows.push(...(await readExactRows(path)))
  }
  return rows
}

/** The sum of a column, where it is not null. */
export function sumOf(rows: readonly ExactRow[], column: string): bigint {
  return rows.reduce((sum, row) => sum + (typeof row[column] === 'bigint' ? (row[column] as bigint) : 0n), 0n)
}
