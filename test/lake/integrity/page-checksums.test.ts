import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, it } from 'vitest'
import { cleanUp } from '../../support/clean-up.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Why files are compared with a digest of their own: what DuckDB does with the checksums of Parquet pages. */

const ROWS = 500
let path = ''
let ask: (text: string) => Promise<readonly (readonly unknown[])[]>

beforeAll(async () => {
  path = join(await temporaryFolder(), 'names.parquet')
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  cleanUp(() => {
    connection.closeSync()
    instance.closeSync()
  })
  ask = async (text) => (await connection.runAndReadAll(text)).getRowsJS() as unknown[][]
  // Each value once, so that there is one page of plain values.
  await ask(`COPY (SELECT 'name ' || (1000 + range) AS name FROM range(${ROWS})) TO '${path}'
    (FORMAT parquet, COMPRESSION uncompressed)`)
})

/** The field of a page header that follows type, size and compressed size, and where it begins. Each of those is one varint. */
function fourthField(file: Buffer, page: number): { readonly number: number; readonly place: number } {
  let place = page
  for (let field = 1; field <= 3; field += 1) {
    // The number of the field is one more than that of the one before; its type is an integer of 32 bits.
    expect(file[place]).toBe(0x15)
    place += 1
    while (((file[place] ?? 0) & 0x80) !== 0) place += 1
    place += 1
  }
  return { number: 3 + ((file[place] ?? 0) >> 4), place }
}

async function firstPage(): Promise<number> {
  const [[data, dictionary] = []] = await ask(
    `SELECT data_page_offset, dictionary_page_offset FROM parquet_metadata('${path}')`,
  )
  return Number(dictionary ?? data)
}

const CRC = 4
const names = async (of: string) => (await ask(`SELECT name FROM read_parquet('${of}')`)).flat()

it('DuckDB writes no page checksums', async () => {
  expect(fourthField(readFileSync(path), await firstPage()).number).toBeGreaterThan(CRC)
})

it('DuckDB returns the rows of a page with a changed byte without an error', async () => {
  const file = readFileSync(path)
  const damaged = `${path}.damaged.parquet`
  const place = file.indexOf('name 1234')
  file.write('X', place)
  writeFileSync(damaged, file)
  const expected = Array.from({ length: ROWS }, (_, row) => `name ${1000 + row}`)
  expect(await names(path)).toEqual(expected)
  expect(await names(damaged)).toEqual(expected.with(234, 'Xame 1234'))
})

it('DuckDB does not compare page checksums of other writers', async () => {
  const file = readFileSync(path)
  const { place } = fourthField(file, await firstPage())
  const checked = `${path}.checked.parquet`
  // A CRC of 1, which is not that of the page; the number of the next field is one less beyond it.
  const crc = Buffer.from([0x15, 0x02, (file[place] ?? 0) - 0x10])
  writeFileSync(checked, Buffer.concat([file.subarray(0, place), crc, file.subarray(place + 1)]))
  expect(fourthField(readFileSync(checked), await firstPage()).number).toBe(CRC)
  expect(await names(checked)).toEqual(await names(path))
})
