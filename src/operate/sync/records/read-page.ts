import { sentenceOf } from '../../../base/errors.ts'
import {
  Digits,
  isList,
  isObject,
  type Json,
  type JsonObject,
  writeJson,
} from '../../../base/values/json-writer.ts'
import { parseExactly } from '../../../write/ingest/records/record-reader.ts'
import { StoreFault } from '../../object-store/object-store.ts'

/** A page of a list, in the specified form or in that of the hosted service. */
export interface ServicePage {
  readonly records: readonly Json[]
  /** Number of the next page; null after the last. */
  readonly next: number | null
  readonly totalPages: number
  /** Total number of records; null if the service does not count them. */
  readonly total: number | null
}

/**
 * Parses a page. Errors: `StoreFault`: `passing` for a body that is no JSON, such as a truncated one; `refused` for
 * JSON that is no page.
 */
export function readPage(body: Buffer, pageNumber: number): ServicePage {
  const reply = parseBody(body, pageNumber)
  const meta = isObject(reply) ? reply.meta : undefined
  const records = isObject(reply) ? (reply.records ?? reply.objects) : undefined
  if (!isObject(meta) || !isList(records))
    throw brokenPage(pageNumber, 'it lacks meta, or a list of records or objects')
  // The hosted service nests `pagination` in `meta`; its `count` is the total of all records.
  const { pagination } = meta
  const info = isObject(pagination) ? pagination : meta
  const [current, totalPages] = [
    readNumber(info, 'current_page', pageNumber),
    readNumber(info, 'total_pages', pageNumber),
  ]
  const next = (info.next_page ?? null) === null ? null : readNumber(info, 'next_page', pageNumber)
  if (current !== pageNumber) throw brokenPage(pageNumber, `it says that it is page ${current}`)
  if (next === null && pageNumber < totalPages)
    throw brokenPage(pageNumber, `it has no next_page and there are ${totalPages} pages`)
  if (next !== null && (next !== pageNumber + 1 || next > totalPages || records.length === 0))
    throw brokenPage(
      pageNumber,
      `its next_page is ${next}, of ${totalPages} pages, behind ${records.length} records`,
    )
  const total = isObject(pagination) ? readNumber(pagination, 'count', pageNumber) : null
  return { records, next, totalPages, total }
}

function parseBody(body: Buffer, pageNumber: number): Json {
  try {
    return parseExactly(body)
  } catch (cause) {
    const why = `it is not JSON (${sentenceOf(cause).slice(0, 100)})`
    throw new StoreFault('passing', `page ${pageNumber} cannot be read: ${why}`, cause)
  }
}

function readNumber(info: JsonObject, name: string, pageNumber: number): number {
  const value = info[name] ?? null
  if (typeof value === 'bigint' && value >= 0n && value <= 1_000_000_000n) return Number(value)
  const excerpt = value instanceof Digits ? value.text : writeJson(value).slice(0, 40)
  throw brokenPage(pageNumber, `its ${name} is ${excerpt}`)
}

function brokenPage(pageNumber: number, why: string): StoreFault {
  return new StoreFault('refused', `page ${pageNumber} is not a page of a list: ${why}`)
}
