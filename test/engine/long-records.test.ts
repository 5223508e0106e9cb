import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { copyWithoutRecords, measureRecords } from '../../src/engine/parquet/csv/long-records.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Records of 5, 14, 4 and 100,003 bytes; the second has a line end and quotes within quotes. */
const records = ['a,bc\n', '1,"x\n""y"",z"\n', 'd,e\n', `1,${'f'.repeat(100_000)}\n`]

async function csvFile(content: string, isGzip: boolean) {
  const path = join(await temporaryFolder(), 'part.csv')
  writeFileSync(path, isGzip ? gzipSync(content) : content)
  return { path, isGzip, newLine: '\n' as const, hasHeader: false }
}

describe.each([false, true])('the records of a CSV file (gzip: %s)', (isGzip) => {
  it('end at line ends outside of quotes', async () => {
    const { longest, beyond } = await measureRecords(await csvFile(records.join(''), isGzip), 13)
    expect(longest).toBe(5)
    expect(beyond.map(({ record, start, end }) => [record, start, end])).toEqual([
      [2n, 5, 19],
      [4n, 23, 100_026],
    ])
    expect(beyond.map(({ head }) => head.toString())).toEqual([records[1], `1,${'f'.repeat(64 * 1024 - 2)}`])
  })

  it('are copied without those above the limit', async () => {
    const file = await csvFile(`${records.join('')}last,one`, isGzip)
    const { beyond } = await measureRecords(file, 13)
    const to = `${file.path}.short`
    await copyWithoutRecords(file, beyond, to)
    expect(readFileSync(to, 'utf8')).toBe('a,bc\nd,e\nlast,one')
  })
})

it('the last record of a CSV file needs no line end, and a single CR is a line end', async () => {
  const file = { ...(await csvFile('a,b\rccc,ddd', false)), newLine: '\r' as const }
  expect(await measureRecords(file, 4)).toMatchObject({
    longest: 4,
    beyond: [{ record: 2n, start: 4, end: 11 }],
  })
})

it.each([
  ['a quote within a cell without quotes is a letter', ['1,5" x\n', 'a,b\n', 'c,d\n']],
  ['a quote at the beginning of a cell opens it', ['"a\nb",c\n', 'd,"e\n""f"\n']],
  ['an empty cell in quotes is closed', ['"",a\n', 'b,""\n', 'c,d\n']],
  ['a byte order mark stands before the first cell', ['\ufeff"a\nb",c\n', 'd,e\n']],
])('in a CSV file %s', async (_, parts) => {
  const lengths = parts.map((part) => Buffer.byteLength(part))
  const { records, beyond } = await measureRecords(await csvFile(parts.join(''), false), 1)
  expect(records).toBe(parts.length)
  expect(beyond.map(({ start, end }) => end - start)).toEqual(lengths)
})
