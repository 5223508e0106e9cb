import { sentenceOf } from '../../../base/errors.ts'
import { parseExactJson } from '../../../base/values/exact-json.ts'
import { Digits, type Json } from '../../../base/values/json-writer.ts'
import type { Value } from '../../../catalog/column.ts'
import { RecordFault, rowOfRecord } from '../../../catalog/records/row-of-record.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { emptyBatch } from '../../ports/row-batch.ts'
import { FileFault, RowFault, shorten } from '../../wire/faults.ts'
import { decodedColumns, type KindReader } from '../../wire/row-decoder.ts'
import { streamContent } from '../../wire/stream-content.ts'
import { RecordCutter } from './record-cutter.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
/** Longest integer of any column, in digits. */
const MOST_DIGITS = 40

/** Opens a reader for files of records of a resource. */
export function openRecordReader(resource: Resource): KindReader {
  const columns = decodedColumns(resource)
  const values: Value[] = columns.map(() => null)
  let nextRecord = (): Json => null
  return {
    isRecords: true,
    shapes: [emptyBatch(null, columns)],
    async read(path, visit, signal) {
      const cutter = new RecordCutter((buffer, start, end, ordinal) => {
        const bytes = buffer.subarray(start, end)
        const element = cutter.isList ? parseElement(bytes, ordinal) : undefined
        nextRecord = () => element ?? parseLine(bytes)
        visit(buffer, start, end, ordinal)
      })
      const push = (chunk: Buffer) => cutter.push(chunk)
      const { sha256 } = await streamContent(path, path.endsWith('.gz'), push, signal)
      cutter.finish()
      return { sha256, frames: cutter.records }
    },
    decoder: {
      resource,
      columns,
      values,
      decode() {
        const row = toRow(resource, nextRecord())
        for (const [slot, column] of columns.entries()) values[slot] = row[column] ?? null
        return null
      },
    },
  }
}

function toRow(resource: Resource, record: Json): ReturnType<typeof rowOfRecord> {
  try {
    return rowOfRecord(resource, record)
  } catch (error) {
    if (error instanceof RecordFault) throw new RowFault(error.message, { cause: error })
    // The parser ran out of stack.
    if (!(error instanceof RangeError)) throw error
    throw new RowFault('the record is nested too deeply; expected few levels', {
      cause: error,
    })
  }
}

function parseLine(bytes: Uint8Array): Json {
  try {
    return parseExactly(bytes)
  } catch (cause) {
    throw new RowFault(
      `the record is not JSON (${shorten(sentenceOf(cause))}); expected a JSON object in one line`,
      {
        cause,
      },
    )
  }
}

/** Parses an element of a list; nothing after a broken element can be parsed. Errors: FileFault. */
function parseElement(bytes: Uint8Array, ordinal: number): Json {
  try {
    return parseExactly(bytes)
  } catch (cause) {
    throw new FileFault(
      `record ${ordinal} of the list is not JSON (${shorten(sentenceOf(cause))}); expected a JSON object`,
      { cause },
    )
  }
}

/** Parses JSON with exact integers. Errors: those of the parser. */
export function parseExactly(bytes: Uint8Array): Json {
  return parseExactJson(strictUtf8.decode(bytes), exactNumber) as Json
}

function exactNumber(digits: string): bigint | Digits {
  return /^-?\d+$/.test(digits) && digits.length <= MOST_DIGITS ? BigInt(digits) : new Digits(digits)
}
