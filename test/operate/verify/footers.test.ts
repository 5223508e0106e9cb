import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetMetadata } from 'hyparquet'
import { beforeEach, expect, it } from 'vitest'
import { isFault } from '../../../src/operate/verify/finding.ts'
import { soundLake, verifierOf } from '../../support/lakes/sound-lake.ts'
import { addedFiles, locationOf } from '../../support/tables/delta-table.ts'
import { type PlantedFooter, plantFooter } from '../../support/tables/plant-footer.ts'

/** Every checksum holds; the footer is not that of the rows. */

let lake = ''
let table = ''

beforeEach(async () => {
  lake = await soundLake()
  table = join(lake, 'iot_reward_shares')
})

/** The faults in rows; indexes are those of the file before. */
async function faults(): Promise<readonly (readonly string[])[]> {
  const { findings } = await (await verifierOf(lake)).verify()
  return findings.filter((one) => isFault(one) && one.kind === 'rows').map(({ file, what }) => [file, what])
}

const element = (footer: PlantedFooter, name: string) => {
  const found = footer.schema.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${name} is no column`)
  return found as { -readonly [Name in keyof typeof found]: (typeof found)[Name] }
}

const set = (count: { readonly buffer: Buffer } | undefined, value: bigint) =>
  count?.buffer.writeBigInt64BE(value)

/** Takes a column out of the schema, and out of the row groups. */
function dropColumn(footer: PlantedFooter, name: string): void {
  footer.schema = footer.schema.filter((one) => one.name !== name)
  const [root] = footer.schema
  if (root !== undefined) Object.assign(root, { num_children: (root.num_children ?? 0) - 1 })
  for (const group of footer.row_groups) dropChunk(group, name)
}

function dropChunk(group: PlantedFooter['row_groups'][number] | undefined, name: string): void {
  const columns = group?.columns.filter(({ meta_data }) => meta_data.path_in_schema[0] !== name)
  Object.assign(group ?? {}, { columns })
}

it('verify finds no fault in a footer that was written again without a change', async () => {
  await plantFooter(table, () => {})
  expect(await faults()).toEqual([])
})

it.each<[string, (footer: PlantedFooter) => void, string]>([
  [
    'one more row',
    (footer) => {
      set(footer.num_rows, 6n)
      set(footer.row_groups[0]?.num_rows, 6n)
    },
    'Its footer has 6 rows where the log says 5.',
  ],
  [
    'rows beyond 2^53',
    (footer) => set(footer.num_rows, 2n ** 53n + 1n),
    'Its footer has 9007199254740993 rows where the log says 5.',
  ],
  [
    'a row group with one row less',
    (footer) => set(footer.row_groups[0]?.num_rows, 4n),
    'Its footer has 5 rows, and its row groups have 4.',
  ],
  [
    'a column less',
    (footer) => dropColumn(footer, 'beacon_amount'),
    'Its footer lacks the column beacon_amount.',
  ],
  [
    'a column under another name',
    (footer) => Object.assign(element(footer, 'ordinal'), { name: 'Ordinal' }),
    'Its footer lacks the column ordinal.',
  ],
  [
    'a column more',
    (footer) => {
      footer.schema = [
        ...footer.schema,
        Object.assign(Object.create(element(footer, 'ordinal')), { name: 'x' }),
      ]
      Object.assign(footer.schema[0] ?? {}, { num_children: footer.schema.length - 1 })
    },
    'Its footer has the column x, which the log does not name.',
  ],
  [
    'amounts of 19 digits',
    (footer) => Object.assign(element(footer, 'beacon_amount'), { precision: 19 }),
    'Its footer has the column beacon_amount as FIXED_LEN_BYTE_ARRAY DECIMAL(19,0) where the schema says FIXED_LEN_BYTE_ARRAY DECIMAL(20,0).',
  ],
  [
    'instants of milliseconds',
    (footer) => Object.assign(element(footer, 'end_period'), { converted_type: 9 }),
    'Its footer has the column end_period as INT64 TIMESTAMP_MILLIS where the schema says INT64 TIMESTAMP_MICROS.',
  ],
  [
    'bytes where texts belong',
    (footer) => Object.assign(element(footer, 'reward_type'), { converted_type: null }),
    'Its footer has the column reward_type as BYTE_ARRAY where the schema says BYTE_ARRAY UTF8.',
  ],
  [
    'no values of a column in a row group',
    (footer) => dropChunk(footer.row_groups[0], 'end_period'),
    'Row group 0 of its footer has the columns ',
  ],
  [
    'a value less than rows in a column',
    (footer) => set(footer.row_groups[0]?.columns[0]?.meta_data.num_values, 4n),
    'Row group 0 of its footer has 5 rows, and 4 values of source_file.',
  ],
])('verify names the file and the difference of a footer with %s', async (_, change, sentence) => {
  const path = await plantFooter(table, change)
  expect(await faults()).toEqual([[join('iot_reward_shares', path), expect.stringContaining(sentence)]])
})

it.each<[string, (file: Buffer) => void]>([
  ['other last bytes', (file) => file.write('PAR2', file.length - 4)],
  ['a length beyond the file', (file) => file.writeUInt32LE(file.length, file.length - 8)],
  ['a length of some bytes', (file) => file.writeUInt32LE(40, file.length - 8)],
  ['no length', (file) => file.writeUInt32LE(0, file.length - 8)],
])('verify reports a footer with %s', async (_, edit) => {
  const path = await plantFooter(table, () => {}, edit)
  const sentence = 'Its footer cannot be read: it is not that of a Parquet file.'
  expect(await faults()).toEqual([[join('iot_reward_shares', path), sentence]])
})

it('another library reads a planted number of rows with the same digits', async () => {
  await plantFooter(table, (footer) => set(footer.num_rows, 2n ** 53n + 1n))
  const file = addedFiles(table).at(-1)
  if (file === undefined) throw new Error('nothing was added')
  const bytes = readFileSync(locationOf(table, file))
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  expect(parquetMetadata(buffer).num_rows).toBe(2n ** 53n + 1n)
})
