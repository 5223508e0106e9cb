import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { isList, isObject, type Json, writeJson } from '../../../base/values/json-writer.ts'
import { origin, type Value } from '../../../catalog/column.ts'
import { RecordFault, rowOfRecord } from '../../../catalog/records/row-of-record.ts'
import type { Resource, Row } from '../../../catalog/resource.ts'
import { parseExactly } from '../../../write/ingest/records/record-reader.ts'
import type { FollowedResource } from './followed-resources.ts'
import type { WalkLog } from './walk-log.ts'
import type { WalkTally } from './walk-tally.ts'

/** A record that cannot become a row, and the reason. */
export interface LeftRecord {
  readonly key: string
  readonly reason: string
}

/** Differences between the list of a service and the lake. */
export interface Changes {
  readonly records: number
  /** Records that the lake lacks or has with other values. */
  readonly changed: number
  /** Rows of the lake whose keys the list lacks. */
  readonly gone: number
  readonly left: readonly LeftRecord[]
}

/** Digests of a table's rows, by key. */
type Digests = ReadonlyMap<string, string>

/** Returns the digests of all current rows of a table. */
export async function readDigests(
  resource: FollowedResource,
  rows: AsyncIterable<readonly Row[]>,
): Promise<Digests> {
  const digests = new Map<string, string>()
  for await (const batch of rows)
    for (const row of batch) digests.set(String(row[resource.key]), digestOfRow(resource, row))
  return digests
}

/**
 * Compares the newest record of each key with the lake; with `isWhole`, only records of the last walk. With a path,
 * writes the records that differ to that file, one per line; with `isWhole`, all records.
 */
export async function compareRecords(
  { resource, log, walked, digests, isWhole }: Compared,
  path?: string,
): Promise<Changes> {
  const file = path === undefined ? undefined : await open(path, 'w')
  const left: LeftRecord[] = []
  let [ordinal, records, changed, found] = [0, 0, 0, 0]
  try {
    for await (const page of log.pages()) {
      const lines: string[] = []
      for (const record of page.records) {
        const walk = walked.newestIn(record, ordinal)
        ordinal += 1
        if (walk === undefined || (isWhole && walk !== walked.walk?.walk)) continue
        records += 1
        const row = rowOf(resource, record)
        if ('reason' in row) {
          left.push(row)
          continue
        }
        const before = digests.get(String(row.row[resource.key]))
        const isChanged = before !== digestOfRow(resource, row.row)
        if (before !== undefined) found += 1
        if (isChanged) changed += 1
        if (isChanged || isWhole) lines.push(`${writeJson(record)}\n`)
      }
      if (lines.length > 0) await file?.appendFile(lines.join(''))
    }
    await file?.sync()
  } finally {
    await file?.close()
  }
  return { records, changed, gone: digests.size - found, left }
}

interface Compared {
  readonly resource: FollowedResource
  readonly log: WalkLog
  readonly walked: WalkTally
  readonly digests: Digests
  /** True if the records replace the whole table. */
  readonly isWhole: boolean
}

function rowOf(resource: FollowedResource, record: Json): { readonly row: Row } | LeftRecord {
  try {
    return { row: rowOfRecord(resource, record) }
  } catch (error) {
    // The record has more nested brackets than the stack allows.
    if (!(error instanceof RecordFault || error instanceof RangeError)) throw error
    const key = isObject(record) ? record[resource.key] : undefined
    return { key: typeof key === 'string' ? key.slice(0, 100) : '?', reason: error.message }
  }
}

/** Digest of the values that come from the record; columns about its source are ignored. */
function digestOfRow({ columns }: Resource, row: Row): string {
  const values = Object.entries(columns)
    .filter(([name]) => !(name in origin))
    .map(([name, { kind }]) => jsonOf(row[name] ?? null, kind === 'object'))
  return createHash('sha256').update(writeJson(values)).digest('base64')
}

function jsonOf(value: Value, isObjectText: boolean): Json {
  if (isObjectText && typeof value === 'string') return sorted(parseExactly(Buffer.from(value)))
  return value as Json
}

/** Sorts the members, whose order has no meaning. */
function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]))
}
