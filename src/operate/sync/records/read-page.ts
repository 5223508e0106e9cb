import { sentenceOf } from '../../../base/errors.ts'
import {
  Digits,
  isList,
  isObject,
  type Json,
  type JsonObject,
  writeJson,
} from '../../../base/values/json-writer.ts'
import { parseExactly } from '../../../write/ingest/records/record-kind.ts'
import { ServiceFault } from '../../http-client/service-fault.ts'

/** A page of a list, as specified or as the hosted service has it. */
export interface Page {
  readonly records: readonly Json[]
  /** The next page; null behind the last. */
  readonly next: number | null
  readonly totalPages: number
  /** Records that the list has in all; null where the service does not count them. */
  readonly total: number | null
}

/** Errors: `ServiceFault`: `passing` for a body that is no JSON, as one that was cut, `refused` for what is no page. */
export function readPage(body: Buffer, asked: number): Page {
  const reply = parseBody(body, asked)
  const meta = isObject(reply) ? reply.meta : undefined
  const own = isObject(reply) ? (reply.records ?? reply.objects) : undefined
  if (!isObject(meta) || !isList(own)) throw broken(asked, 'it lacks meta, or a list of records or objects')
  // The hosted service has pagination one deeper, and there count is that of all records.
  const { pagination } = meta
  const info = isObject(pagination) ? pagination : meta
  const [current, totalPages] = [whole(info, 'current_page', asked), whole(info, 'total_pages', asked)]
  const next = (info.next_page ?? null) === null ? null : whole(info, 'next_page', asked)
  if (current !== asked) throw broken(asked, `it says that it is page ${current}`)
  if (next === null && asked < totalPages)
    throw broken(asked, `it has no next_page and there are ${totalPages} pages`)
  if (next !== null && (next !== asked + 1 || next > totalPages || own.length === 0))
    throw broken(asked, `its next_page is ${next}, of ${totalPages} pages, behind ${own.length} records`)
  const total = isObject(pagination) ? whole(pagination, 'count', asked) : null
  return { records: own, next, totalPages, total }
}

function parseBody(body: Buffer, asked: number): Json {
  try {
    return parseExactly(body)
  } catch (cause) {
    const why = `it is no JSON (${sentenceOf(cause).slice(0, 100)})`
    throw new ServiceFault('passing', `page ${asked} cannot be read: ${why}`, { cause })
  }
}

function whole(info: JsonObject, name: string, asked: number): number {
  const value = info[name] ?? null
  if (typeof value === 'bigint' && value >= 0n && value <= 1_000_000_000n) return Number(value)
  const found = value instanceof Digits ? value.text : writeJson(value).slice(0, 40)
  throw broken(asked, `its ${name} is ${found}`)
}

function broken(asked: number, why: string): ServiceFault {
  return new ServiceFault('refused', `page ${asked} is no page of a list: ${why}`)
}
