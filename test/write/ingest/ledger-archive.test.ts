import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Cell, parseCsv } from '../../support/archive/csv.ts'
import { readExpected, smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { leftoversOf } from '../../support/lakes/leftovers.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import {
  addedFiles,
  type ExactRow,
  type ExactValue,
  locationOf,
  readMetadata,
} from '../../support/tables/delta-table.ts'
import { loggedSources, readTable, versionOf } from '../../support/tables/read-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const archive = join(smallNetwork, 'l1-archive/blockchain-etl-export')

/** Folder of the archive, its table, and its name in expected.json. */
const tables = [
  ['account_inventory', 'l1_accounts', 'accounts'],
  ['gateway_inventory', 'l1_gateways', 'gateways'],
  ['transactions', 'l1_transactions', 'transactions'],
  ['transaction_actors', 'l1_transaction_actors', 'transaction_actors'],
  ['packets', 'l1_packets', 'packets'],
  ['rewards', 'l1_rewards', 'rewards'],
  ['dc_burns', 'l1_dc_burns', 'dc_burns'],
] as const

/** Cells whose column has another name. */
const columnOf: Readonly<Record<string, string>> = {
  hash: 'transaction_hash',
  actor: 'actor_address',
  account: 'account_address',
  gateway: 'gateway_address',
  owner: 'owner_address',
  payer: 'payer_address',
}

/** Cells that are empty where others are 0. */
const nullable = ['last_poc_challenge', 'reward_scale']
const texts =
  /^(address|owner|location|last_poc_onion_key_hash|witnesses|name|location_hex|mode|payer|.*hash|type|fields|actor|actor_role|account|gateway)$/

/** What a cell of the archive is in the lake. */
function stored(name: string, cell: Cell): ExactValue {
  if (cell === null) return texts.test(name) || nullable.includes(name) ? null : 0n
  if (texts.test(name) || name === 'reward_scale') return cell
  if (name !== 'first_timestamp') return BigInt(cell)
  return BigInt(Date.parse(`${cell.replace(' ', 'T')}:00`)) * 1000n
}

function partOf(folder: string): string {
  return gunzipSync(readFileSync(join(archive, folder, 'data_xaa.csv.gz'))).toString('utf8')
}

/** Rows without their origin, in the order of their records. */
async function rowsOf(lake: string, table: string): Promise<readonly ExactRow[]> {
  const rows = await readTable(lake, table)
  return [...rows].sort((a, b) => Number((a.ordinal as bigint) - (b.ordinal as bigint)))
}

/** A folder of the archive with parts of its own. */
async function archiveOf(
  folder: string,
  parts: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const root = await temporaryFolder()
  mkdirSync(join(root, folder))
  for (const [name, content] of Object.entries(parts)) {
    writeFileSync(join(root, folder, name), name.endsWith('.gz') ? gzipSync(content) : content)
  }
  return root
}

const newLake = async () => join(await temporaryFolder(), 'lake')

describe('the archive of the small network', () => {
  let lake = ''
  beforeAll(async () => {
    const folder = await temporaryFolder()
    lake = join(folder, 'lake')
    const summary = await ingestInto(lake, [archive])
    expect(summary).toMatchObject({ read: 7, stored: 7, failed: [], unknown: [], refusedRows: 0 })
  })

  it.each(tables)('has every record of %s in %s, cell by cell', async (folder, table, name) => {
    const [header = [], ...lines] = parseCsv(partOf(folder))
    const rows = await rowsOf(lake, table)
    expect(rows).toHaveLength(readExpected().counts[name] ?? -1)
    expect(rows).toHaveLength(lines.length)
    for (const [at, line] of lines.entries()) {
      const cells = header.map((cell, place) => [String(cell), line[place] ?? null] as const)
      const expected = cells.map(([cell, value]) => [columnOf[cell] ?? cell, stored(cell, value)])
      const origin = { source_file: 'data_xaa.csv.gz', ordinal: BigInt(at) }
      expect(rows[at]).toMatchObject({ ...Object.fromEntries(expected), ...origin })
    }
  })

  it('changes nothing the second time', async () => {
    const versions = tables.map(([, table]) => versionOf(lake, table))
    const again = await ingestInto(lake, [archive])
    expect(again).toMatchObject({ stored: 0, skipped: 7, rows: 0 })
    expect(tables.map(([, table]) => versionOf(lake, table))).toEqual(versions)
    expect(leftoversOf(lake)).toEqual([])
  })
})

describe('a part is the same however it is written:', () => {
  const text = partOf('transactions')
  const body = text.slice(text.indexOf('\n') + 1)
  const ways: readonly (readonly [string, string, string | Uint8Array])[] = [
    ['without a header', 'a.csv.gz', body],
    ['with CRLF', 'a.csv.gz', text.replaceAll('\n', '\r\n')],
    ['with CRLF and without a header', 'a.csv.gz', body.replaceAll('\n', '\r\n')],
    ['with a byte-order mark', 'a.csv.gz', `\ufeff${text}`],
    ['with a byte-order mark and without a header', 'a.csv.gz', `\ufeff${body}`],
    ['without a line break at the end', 'a.csv.gz', text.trimEnd()],
    ['with a quoted header', 'a.csv.gz', `"block","hash","type","fields","time"\n${body}`],
    ['without gzip', 'a.csv', text],
  ]

  /** The rows of the part as the archive has it. */
  let usual: readonly ExactRow[]
  beforeAll(async () => {
    const lake = await newLake()
    await ingestInto(lake, [await archiveOf('transactions', { 'a.csv.gz': text })])
    usual = await rowsOf(lake, 'l1_transactions')
  })

  it.each(ways)('%s', async (_, name, content) => {
    const lake = await newLake()
    await ingestInto(lake, [await archiveOf('transactions', { [name]: content })])
    const rows = await rowsOf(lake, 'l1_transactions')
    expect(rows).toHaveLength(360)
    // A line break within a cell is part of the cell.
    const same = String(content).includes('\r') ? rows.map(withLf) : rows
    expect(same.map(withoutFile)).toEqual(usual.map(withoutFile))
  })

  const withoutFile = ({ source_file: _, ...row }: ExactRow) => row
  const withLf = (row: ExactRow): ExactRow => ({
    ...row,
    fields: String(row.fields).replaceAll('\r\n', '\n'),
  })
})

describe('the cells of a part', () => {
  it('keep quoted line breaks, quotes and commas, in files with LF or CRLF', async () => {
    const fields = '{"a": "x,\\"y",\n"b": [1,\n2]}'
    const line = `7,h,t,"${fields.replaceAll('"', '""')}",1600000000`
    const lake = await newLake()
    const parts = {
      'a.csv.gz': `${line}\n${line}\n`,
      'b.csv.gz': `${line}\r\n${line}\r\n`,
      'c.csv.gz': `block,hash,type,fields,time\r\n${line}\r\n`,
    }
    await ingestInto(lake, [await archiveOf('transactions', parts)])
    const rows = await readTable(lake, 'l1_transactions')
    expect(rows.map((row) => row.fields)).toEqual([fields, fields, fields, fields, fields])
  })

  it('are 0 or null when they are empty, and empty texts when they are quoted', async () => {
    const lake = await newLake()
    const gateway = 'g,o,,,,{},1,2,,,2021-05-01 12:34:56.25-07:30,1e-05,-3,,"",,\n'
    await ingestInto(lake, [await archiveOf('gateway_inventory', { 'a.csv.gz': gateway })])
    expect(await readTable(lake, 'l1_gateways')).toEqual([
      {
        ...{ address: 'g', owner_address: 'o', payer_address: null, location: null, location_hex: '' },
        ...{ last_poc_challenge: null, last_poc_onion_key_hash: null, witnesses: '{}', first_block: 1n },
        ...{ last_block: 2n, nonce: 0n, name: null, reward_scale: '0.00001', reward_scale_exact: '1e-05' },
        ...{ elevation: -3n, gain: 0n, mode: null, source_file: 'a.csv.gz', ordinal: 0n },
        first_timestamp: BigInt(Date.UTC(2021, 4, 1, 20, 4, 56, 250)) * 1000n,
      },
    ])
  })
})

describe('parts', () => {
  const reward = (block: number, time: number) => `${block},h${block},${time},a,g,${block},poc_witness\n`
  const header = 'block,transaction_hash,time,account,gateway,amount,type\n'
  const september = 1_600_000_000
  const october = 1_602_000_000
  const parts = {
    'data_xaa.csv.gz': header + reward(3, october) + reward(1, september),
    'data_xab.csv.gz': reward(2, september) + reward(4, october),
    'data_xac.csv.gz': header + reward(5, october),
    'data_xad.csv.gz': '',
  }
  const blocksIn = (rows: readonly ExactRow[]) => rows.map(({ block }) => Number(block))

  it('are stored in one file for each month, in the order of the table', async () => {
    const lake = await newLake()
    const summary = await ingestInto(lake, [await archiveOf('rewards', parts)])
    expect(summary).toMatchObject({ stored: 4, rows: 5, failed: [] })
    const sources = loggedSources(lake, 'l1_rewards')
    expect(sources.map(({ month, name, rows }) => [month, name, rows])).toEqual([
      ['2020-09', 'data_xaa.csv.gz', 1],
      ['2020-09', 'data_xab.csv.gz', 1],
      ['2020-09', 'data_xad.csv.gz', 0],
      ['2020-10', 'data_xaa.csv.gz', 1],
      ['2020-10', 'data_xab.csv.gz', 1],
      ['2020-10', 'data_xac.csv.gz', 1],
    ])
    expect(blocksIn(await readTable(lake, 'l1_rewards'))).toEqual([1, 2, 3, 4, 5])
  })

  it('of one name may belong to several tables, but not to one table with other bytes', async () => {
    const lake = await newLake()
    const rewards = await archiveOf('rewards', { 'data_xaa.csv.gz': reward(1, september) })
    const packets = await archiveOf('packets', { 'data_xaa.csv.gz': '1,h,1600000000,g,2,3\n' })
    expect(await ingestInto(lake, [rewards, packets])).toMatchObject({ stored: 2, failed: [] })
    const other = await archiveOf('rewards', { 'data_xaa.csv.gz': reward(9, september) })
    const refused = await ingestInto(lake, [other])
    expect(refused.failed.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^the lake holds data_xaa\.csv\.gz with other bytes/),
    ])
    expect(await ingestInto(lake, [other], { replace: true })).toMatchObject({ stored: 1, failed: [] })
    expect(loggedSources(lake, 'l1_packets')).toHaveLength(1)
  })

  it('of actors are stored by ranges of 100,000 blocks', async () => {
    const lake = await newLake()
    const lines = [99_999, 100_000, 1_234_567].map((block) => `a,payer,h${block},${block}\n`)
    await ingestInto(lake, [await archiveOf('transaction_actors', { 'a.csv.gz': lines.join('') })])
    const folders = readdirSync(join(lake, 'l1_transaction_actors')).filter((name) => !name.startsWith('_'))
    expect(folders.sort()).toEqual([
      'block_range=0000000000',
      'block_range=0000100000',
      'block_range=0001200000',
    ])
  })

  it('have small row groups, even after a part of a file was replaced', async () => {
    const lake = await newLake()
    const many = Array.from({ length: 50_000 }, (_, at) => reward(at, september)).join('')
    const input = { 'a.csv.gz': many, 'b.csv.gz': reward(1, september) }
    await ingestInto(lake, [await archiveOf('rewards', input)])
    const groups = async () => {
      const table = join(lake, 'l1_rewards')
      const files = addedFiles(table).map((file) => locationOf(table, file))
      const read = await Promise.all(files.map(readMetadata))
      return read.flatMap(({ row_groups }) => row_groups.map(({ num_rows }) => Number(num_rows)))
    }
    expect(await groups()).toEqual([20_480, 20_480, 9041])
    const other = await archiveOf('rewards', { 'b.csv.gz': reward(2, september) })
    await ingestInto(lake, [other], { replace: true })
    const replaced = await groups()
    expect(replaced.reduce((sum, rows) => sum + rows, 0)).toBe(50_001)
    expect(Math.max(...replaced)).toBeLessThan(2 * 20_480)
  })

  it('of long texts are sorted, although they are sorted piece by piece', async () => {
    const lake = await newLake()
    const long = `{""note"": ""${'x'.repeat(20_000)}""}`
    const lines = Array.from({ length: 4000 }, (_, at) => {
      return `${4000 - (at >> 1)},h${at % 2},t,"${long}",${september}\n`
    })
    await ingestInto(lake, [await archiveOf('transactions', { 'a.csv.gz': lines.join('') })])
    const rows = await readTable(lake, 'l1_transactions')
    expect(rows.map((row) => [row.block, row.transaction_hash, row.ordinal])).toEqual(
      Array.from({ length: 4000 }, (_, at) => {
        const pair = 1999 - (at >> 1)
        return [BigInt(4000 - pair), `h${at % 2}`, BigInt(pair * 2 + (at % 2))]
      }),
    )
    expect(leftoversOf(lake)).toEqual([])
  })

  it('leave no file when the writer fails, and are stored completely by the next run', async () => {
    const lake = await newLake()
    const root = await archiveOf('rewards', parts)
    for (const verb of ['write', 'load'] as const) {
      const broken = ingestInto(lake, [root], {
        openWriter: async (spillFolder) => {
          const writer = await openTestWriter(spillFolder)
          let calls = 0
          return {
            ...writer,
            openCsvStage(resource) {
              const stage = writer.openCsvStage(resource)
              const fails = () => {
                calls += 1
                return calls === 2 ? Promise.reject(new Error('the disk is gone')) : undefined
              }
              return {
                get rows() {
                  return stage.rows
                },
                load: (...given) => (verb === 'load' && fails()) || stage.load(...given),
                write: (...given) => (verb === 'write' && fails()) || stage.write(...given),
                drop: () => stage.drop(),
              }
            },
          }
        },
      })
      await expect(broken).rejects.toThrow('the disk is gone')
      expect(versionOf(lake, 'l1_rewards')).toBe(-1)
      expect(leftoversOf(lake)).toEqual([])
    }
    expect(await ingestInto(lake, [root])).toMatchObject({ stored: 4, rows: 5 })
  })
})
