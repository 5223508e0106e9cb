import { describe, expect, it } from 'vitest'
import { RecordCutter } from '../../../src/write/ingest/records/record-cutter.ts'

/** Records that hold what cuts records: brackets, quotes, backslashes, commas, ends of lines as escapes. */
const records = [
  '{"a":"]}[{,\\"\\\\","b":[1,[2,{}]],"c":{"d":"\\\\\\""}}',
  '{}',
  '"text, ] with \\" \\\\"',
  '12',
  'null',
  '[[],"]"]',
  `{"long":"${'é{'.repeat(300)}"}`,
  '-1.5e3',
]

const shapes: Readonly<Record<string, readonly [text: string, isList: boolean]>> = {
  lines: [records.join('\n'), false],
  'lines with blanks and ends': [`\n\r\n  ${records.join(' \r\n\n\t')}\r\n\n`, false],
  'a list': [`[${records.join(',')}]`, true],
  'a list with blanks': [` \n[ ${records.join('\n ,\t')} \r\n] \n`, true],
  'a page': [`{"meta":{"count":8,"x":{"y":"z"}},"records":[${records.join(',')}]}`, true],
  'a page whose meta comes last': [
    `{ "objects" : [${records.join(' , ')} ] , "meta" : {"a":"]}\\"{"} } `,
    true,
  ],
  'two pages': [
    `{"meta":{},"records":[${records.slice(0, 3).join(',')}]}\n{"meta":{},"records":[${records.slice(3).join(',')}]}\n`,
    true,
  ],
}

/** The records of a text that comes in chunks of so many bytes. */
function cut(text: string, chunkBytes: number): { found: readonly string[]; isList: boolean } {
  const found: string[] = []
  const cutter = new RecordCutter((buffer, start, end, ordinal) => {
    expect(ordinal).toBe(found.length)
    found.push(buffer.toString('utf8', start, end))
  })
  const bytes = Buffer.from(text)
  // Every chunk lies in the same memory, as those of a stream may.
  const memory = Buffer.alloc(chunkBytes)
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const length = bytes.copy(memory, 0, at, at + chunkBytes)
    cutter.push(memory.subarray(0, length))
  }
  cutter.finish()
  expect(cutter.records).toBe(found.length)
  return { found, isList: cutter.isList }
}

describe.each([1, 2, 3, 7, 64, 1000, 5000, 100_000])('in chunks of %i bytes', (chunkBytes) => {
  it.each(Object.entries(shapes))('%s become the same records', (_shape, [text, isList]) => {
    expect(cut(text, chunkBytes)).toEqual({ found: records, isList })
    expect(cut(`\ufeff${text}`, chunkBytes)).toEqual({ found: records, isList })
  })
})

it.each([64, 1000, 5000, 100_000])(
  'thousands of records are complete, in chunks of %i bytes',
  (chunkBytes) => {
    const many = Array.from({ length: 3000 }, (_, at) => records[at % records.length] ?? '')
    expect(cut(many.join('\n'), chunkBytes).found).toEqual(many)
    expect(cut(`[${many.join(',')}]`, chunkBytes).found).toEqual(many)
  },
)
