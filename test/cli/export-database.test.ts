import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeLakeDatabase } from '../../src/answers/sql/database/lake-database.ts'
import { version } from '../../src/base/version.ts'
import { openOutFile } from '../../src/cli/out-file.ts'
import { uncheckedFiles } from '../../src/lake/integrity/unchecked-files.ts'
import { openLake } from '../../src/lake/snapshot/lake.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { runMain } from '../support/servers/run-main.ts'
import { some } from '../support/some.ts'
import { makeFolder } from '../support/temporary-folder.ts'

let cwd: string
let remove: () => Promise<void>

beforeAll(async () => {
  const made = await makeFolder()
  cwd = made.folder
  remove = made.remove
  await copySmallLake(join(cwd, 'lake'))
})
afterAll(() => remove())

const run = (out: string, ...args: string[]) =>
  runMain(['export', '--all', '--lake', 'lake', '--out', out, ...args], { cwd })

type Rows = readonly (readonly unknown[])[]

/** Rows of a statement, all as text, in a DuckDB that only reads the file. */
async function ask(file: string, statement: string): Promise<Rows> {
  const options = file === ':memory:' ? undefined : { access_mode: 'READ_ONLY' }
  const instance = await DuckDBInstance.create(file, options)
  const connection = await instance.connect()
  try {
    await connection.run("SET TimeZone = 'UTC'")
    const rows = (await connection.runAndReadAll(statement)).getRowsJS() as readonly (readonly unknown[])[]
    return rows.map((row) => row.map((value) => (value === null ? null : String(value))))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** FROM item over the Parquet files of a table, which this lake wrote once. */
const stored = (table: string) =>
  `read_parquet('${join(cwd, 'lake', table)}/**/*.parquet', hive_partitioning = false)`

/** Tables of the lake with rows. */
const tables = [
  ...['iot_reward_shares', 'mobile_reward_shares', 'reward_manifests', 'iot_witness_ingest_reports'],
  ...['makers', 'hotspots', 'l1_accounts', 'l1_transaction_actors', 'l1_dc_burns', 'l1_gateways'],
  ...['l1_packets', 'l1_rewards', 'l1_transactions'],
]

/** The count of rows and a digest of all their values, whatever their order. */
async function digestOf(file: string, from: string, columns: string, where = 'true'): Promise<unknown> {
  const digest = `SELECT count(*), sum(hash(r)::HUGEINT % 1000000007) FROM (SELECT ${columns} FROM ${from} WHERE ${where}) r`
  return (await ask(file, digest))[0]
}

async function columnsOf(table: string): Promise<readonly (readonly [string, string])[]> {
  const described = await ask(':memory:', `DESCRIBE FROM ${stored(table)}`)
  return described.map(([name, type]) => [String(name), String(type)])
}

const listed = (columns: readonly (readonly [string, string])[]) =>
  columns.map(([name]) => `"${name}"`).join(', ')

describe('export --all', () => {
  it('writes every row, value and type of the stored tables to a file that needs no lake', async () => {
    const { code, stdout, stderr } = await run('network.duckdb', '--format', 'duckdb')
    expect([code, stderr]).toEqual([0, ''])
    const file = join(cwd, 'moved.db')
    renameSync(join(cwd, 'network.duckdb'), file)
    expect(
      await ask(file, "SELECT sql FROM duckdb_views() WHERE NOT internal AND sql LIKE '%parquet%'"),
    ).toEqual([])
    const at = await (await openLake(join(cwd, 'lake'))).latest()
    for (const table of some(tables)) {
      const columns = await columnsOf(table)
      const digest = await digestOf(':memory:', stored(table), listed(columns))
      expect(await digestOf(file, table, listed(columns)), table).toEqual(digest)
      const described = await ask(file, `DESCRIBE ${table}`)
      expect(described.map(([name, type]) => [name, type])).toEqual(expect.arrayContaining([...columns]))
      const rows = String((digest as readonly unknown[])[0])
      expect(stdout).toContain(`${rows} rows of ${table}\n`)
      const recorded = `SELECT rows, snapshot, first_day, owner, format, program FROM _ledgerlake WHERE table_name = '${table}'`
      expect(await ask(file, recorded)).toEqual([[rows, at.id, null, null, '2', version]])
    }
    expect(stdout).toContain(`Snapshot ${at.id} is in network.duckdb\n`)
    expect(await ask(file, 'FROM lake_snapshot')).toEqual([[at.id]])
  })

  it('has the joined views of sql with the same sums, and a comment on every table and column', async () => {
    await run('views.duckdb')
    const file = join(cwd, 'views.duckdb')
    const views = join(cwd, 'lake-views.duckdb')
    expect(await runMain(['views', '--lake', 'lake', '--out', views], { cwd })).toMatchObject({ code: 0 })
    for (const view of ['iot_rewards', 'mobile_rewards']) {
      const statement = `SELECT token, count(*), sum(earned)::VARCHAR, sum(usd)::VARCHAR FROM ${view} GROUP BY token ORDER BY token`
      expect(some(await ask(file, statement))).toEqual(await ask(views, statement))
    }
    expect(
      await ask(
        file,
        'SELECT table_name FROM duckdb_tables() WHERE comment IS NULL UNION ALL SELECT column_name FROM duckdb_columns() WHERE comment IS NULL AND NOT internal',
      ),
    ).toEqual([])
    expect(await ask(file, "SELECT comment FROM duckdb_tables() WHERE table_name = 'hotspots'")).toEqual([
      ['A hotspot of the L2 ledger. No two rows have the same asset_id.'],
    ])
  })

  it('limits rows to days: of the paid period, of their time, or of the times of their blocks', async () => {
    const day = (column: string) => `make_timestamp(${column})::DATE`
    const middle = (a: string, b: string) => day(`(epoch_us(${a}) + epoch_us(${b})) // 2`)
    const shares = middle('start_period', 'end_period')
    const [[first, last] = []] = await ask(
      ':memory:',
      `SELECT d, d + 1 FROM (SELECT min(${shares}) AS d FROM ${stored('iot_reward_shares')})`,
    )
    const [from, to] = [String(first).slice(4, 15), String(last).slice(4, 15)].map((text) =>
      new Date(`${text} UTC`).toISOString().slice(0, 10),
    ) as [string, string]
    expect(await run('days.duckdb', '--from', from, '--to', to)).toMatchObject({ code: 0, stderr: '' })
    const isIn = (of: string) => `${of} BETWEEN '${from}' AND '${to}'`
    const ofTime = day('time * 1000000')
    const limits: Readonly<Record<string, string>> = {
      iot_reward_shares: isIn(shares),
      mobile_reward_shares: isIn(shares),
      reward_manifests: isIn(middle('start_timestamp', 'end_timestamp')),
      iot_witness_ingest_reports: isIn(day('epoch_us(received_at)')),
      hotspots: 'true',
      ...Object.fromEntries(
        ['l1_dc_burns', 'l1_packets', 'l1_rewards', 'l1_transactions'].map((name) => [name, isIn(ofTime)]),
      ),
    }
    for (const [table, where] of Object.entries(limits)) {
      const columns = listed(await columnsOf(table))
      const expected = await digestOf(':memory:', stored(table), columns, where)
      expect(await digestOf(join(cwd, 'days.duckdb'), table, columns), table).toEqual(expected)
    }
    expect(
      await ask(
        join(cwd, 'days.duckdb'),
        'SELECT DISTINCT first_day::VARCHAR, last_day::VARCHAR FROM _ledgerlake',
      ),
    ).toEqual([[from, to]])
  })

  it('limits blocks to those between the first and the last block of the days', async () => {
    const [[from = ''] = []] = await ask(
      ':memory:',
      `SELECT strftime(make_timestamp(min(time) * 1000000), '%Y-%m-%d') FROM ${stored('l1_transactions')}`,
    )
    await run('blocks.duckdb', '--from', String(from), '--to', String(from))
    const file = join(cwd, 'blocks.duckdb')
    const events = ['l1_dc_burns', 'l1_packets', 'l1_rewards', 'l1_transactions'].map(
      (name) => `SELECT block FROM ${name}`,
    )
    const [[least, most] = []] = await ask(
      file,
      `SELECT min(block), max(block) FROM (${events.join(' UNION ALL ')})`,
    )
    const columns = listed(await columnsOf('l1_transaction_actors'))
    const where = `block BETWEEN ${least} AND ${most}`
    const expected = await digestOf(':memory:', stored('l1_transaction_actors'), columns, where)
    expect(await digestOf(file, 'l1_transaction_actors', columns)).toEqual(expected)
    expect(Number((await ask(file, 'SELECT count(*) FROM l1_transaction_actors'))[0]?.[0])).toBeGreaterThan(0)
    const before = new Date(Date.parse(String(from)) - 86_400_000).toISOString().slice(0, 10)
    await run('earlier.duckdb', '--to', before)
    const earlier = await ask(join(cwd, 'earlier.duckdb'), 'SELECT count(*) FROM l1_transaction_actors')
    expect(earlier).toEqual([['0']])
  })

  it('limits rows to the hotspots and the account of an owner, and leaves out refused messages', async () => {
    const [[owner = ''] = []] = await ask(
      ':memory:',
      `SELECT owner FROM ${stored('hotspots')} h JOIN ${stored('iot_reward_shares')} s ON s.hotspot_key = h.ecc_key GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
    )
    expect(await run('owner.duckdb', '--owner', String(owner))).toMatchObject({ code: 0, stderr: '' })
    const keys = `(SELECT ecc_key FROM ${stored('hotspots')} WHERE owner = '${owner}')`
    const limits = {
      hotspots: `owner = '${owner}'`,
      iot_reward_shares: `hotspot_key IN ${keys}`,
      mobile_reward_shares: `hotspot_key IN ${keys}`,
      iot_witness_ingest_reports: `hotspot_key IN ${keys}`,
      l1_packets: `gateway_address IN ${keys}`,
      reward_manifests: 'true',
    }
    for (const [table, where] of Object.entries(limits)) {
      const columns = listed(await columnsOf(table))
      const expected = await digestOf(':memory:', stored(table), columns, where)
      expect(await digestOf(join(cwd, 'owner.duckdb'), table, columns), table).toEqual(expected)
    }
    const owned = await ask(join(cwd, 'owner.duckdb'), 'SELECT DISTINCT owner FROM _ledgerlake')
    expect(owned).toEqual([[owner]])
    expect(
      await ask(join(cwd, 'owner.duckdb'), "SELECT 1 FROM duckdb_tables() WHERE table_name = 'rejects'"),
    ).toEqual([])
  })

  it.each([
    [['--format', 'csv'], '--all writes a database file: add --format duckdb, or name one list.'],
    [['--format', 'duckdb', 'hotspots'], 'Name a list, or give --all for all tables; exactly one of them.'],
    [
      ['--format', 'duckdb', '--columns', 'id'],
      '--columns cannot be combined with --all; use --from, --to, --first-day, --last-day, --owner, --as-of, --format, --month or --year.',
    ],
    [
      ['--format', 'duckdb', '--from', '2025'],
      '--from is "2025"; use a day as in 2025-02-01, or a month as in 2025-02.',
    ],
    [
      ['--format', 'duckdb', '--from', '2025-02-02', '--to', '2025-02-01'],
      'The first day is 2025-02-02, after the last day, which is 2025-02-01; use a later last day.',
    ],
    [
      ['--format', 'duckdb', '--owner', 'nobody'],
      'Nothing has the owner "nobody"; check its spelling. No file was written.',
    ],
  ])('refuses %j and writes no file', async (args, sentence) => {
    const { code, stderr } = await run('refused', ...args)
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(sentence)])
    expect(readdirSync(cwd).filter((name) => name.includes('refused'))).toEqual([])
  })

  it('replaces an existing file only with --force', async () => {
    writeFileSync(join(cwd, 'mine.duckdb'), 'mine')
    const refused = await run('mine.duckdb')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(readFileSync(join(cwd, 'mine.duckdb'), 'utf8')).toBe('mine')
    expect(await run('mine.duckdb', '--force')).toMatchObject({ code: 0 })
    expect(some(await ask(join(cwd, 'mine.duckdb'), 'FROM _ledgerlake')).length).toBe(14)
  })

  it('names a damaged data file and writes nothing', async () => {
    const lake = join(cwd, 'damaged')
    await copySmallLake(lake)
    const [name = ''] = readdirSync(join(lake, 'hotspots')).filter((one) => one.endsWith('.parquet'))
    const path = join(lake, 'hotspots', name)
    const bytes = readFileSync(path)
    bytes[200] = (bytes[200] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const { code, stderr } = await runMain(['export', '--all', '--lake', lake, '--out', 'none.duckdb'], {
      cwd,
    })
    expect([code, stderr]).toEqual([4, expect.stringContaining(name)])
    expect(readdirSync(cwd).filter((one) => one.startsWith('none'))).toEqual([])
  })

  it('leaves no file when it is stopped', async () => {
    const at = await (await openLake(join(cwd, 'lake'))).latest()
    const stop = new AbortController()
    const file = await openOutFile(join(cwd, 'stopped.duckdb'), { force: false, isStreamed: false })
    const checkedFiles = {
      ...uncheckedFiles,
      read: async (_: unknown, write: (nameOf: never) => Promise<unknown>) => {
        setImmediate(() => stop.abort(new Error('stopped')))
        return await write(undefined as never)
      },
    } as never
    const options = { memoryMb: 256, threads: 1, spillFolder: join(cwd, 'spill'), signal: stop.signal }
    await expect(
      file.fill(
        async (path) => void (await writeLakeDatabase(at, { ...options, path, limits: {}, checkedFiles })),
      ),
    ).rejects.toThrow('stopped')
    expect(readdirSync(cwd).filter((one) => one.startsWith('stopped'))).toEqual([])
  })
})
