import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import type { Column } from '../../../src/catalog/column.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { keptLakes } from '../../support/lakes/kept-lakes.ts'
import { makeLake, mobileReward } from '../../support/lakes/make-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { openSqlSession, rowsOf } from '../../support/servers/ask-sql.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { type ExactValue, readExactRows, readMetadata } from '../../support/tables/delta-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

/** A lake of an older build, whose files have Bloom filters for BLOB columns. */
let lake = ''
let session: SqlSession

beforeAll(async () => {
  const folder = await temporaryFolder()
  keptLakes.at(-1)?.copyTo(folder)
  lake = join(folder, 'lake')
  session = await openSqlSession(lake)
  return () => session.close()
})

const isBinary = (resource: Resource) => Object.values(resource.columns).some(({ kind }) => kind === 'bytes')
const compared = resources.filter((resource) => scaled(isBinary(resource), true))

async function pathsOf(resource: Resource): Promise<readonly string[]> {
  return some((await new Lake(lake).latest()).table(resource).files.map(({ path }) => path))
}

/** The columns that have a Bloom filter in one of these files. */
async function filteredColumns(paths: readonly string[]): Promise<readonly string[]> {
  const read = paths.map(async (path) =>
    (await readMetadata(path)).row_groups.flatMap(({ columns }) =>
      columns.flatMap(({ meta_data }) =>
        meta_data?.bloom_filter_offset === undefined ? [] : meta_data.path_in_schema,
      ),
    ),
  )
  return (await Promise.all(read)).flat()
}

/** The rows of a table as hyparquet reads them. */
async function scan(resource: Resource) {
  return (await Promise.all((await pathsOf(resource)).map((path) => readExactRows(path)))).flat()
}

function literal({ kind }: Column, value: ExactValue): string {
  if (kind === 'bytes') return `from_hex('${value}')`
  if (kind === 'instant') return `make_timestamptz(${value})`
  return typeof value === 'string' && kind !== 'decimal' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/** The value of most rows and that of the fewest, with how many have it. */
function extremes(values: readonly ExactValue[]): readonly (readonly [ExactValue, number])[] {
  const counts = new Map<ExactValue, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return sorted.length < 2
    ? sorted
    : [sorted[0] as [ExactValue, number], sorted.at(-1) as [ExactValue, number]]
}

/** All columns, or one of each kind: columns of one kind are read alike. */
function columnsToCompare({ columns }: Resource): readonly (readonly [string, Column])[] {
  const all = Object.entries(columns)
  const isFirst = ([, { kind }]: readonly [string, Column], index: number) =>
    all.findIndex(([, other]) => other.kind === kind) === index
  return scaled(
    all.filter((own, index) => isFirst(own, index) || own[1].kind === 'bytes'),
    all,
  )
}

const forms = (view: string, column: string, value: string) => [
  `(select count(*) from ${view} where "${column}" = ${value})`,
  `(select count(*) from ${view} where "${column}" in (${value}))`,
  `(select count(*) from ${view} where "${column}" = any([${value}]))`,
  `(select count(*) from ${view} v join (select ${value} as x) one on v."${column}" = one.x)`,
]

describe.each(compared.map((resource) => [resource.name, resource] as const))('%s', (name, resource) => {
  it('has as many rows for =, IN, ANY and a join as another reader finds', async () => {
    const rows = await scan(resource)
    const views = [name, ...(/_reward_shares$/.test(name) ? [name.replace(/_shares$/, 's')] : [])]
    const wrong: unknown[] = []
    let compared = 0
    for (const [column, declared] of columnsToCompare(resource))
      for (const [value, count] of extremes(rows.map((row) => row[column] ?? null))) {
        if (Array.isArray(value)) continue
        // The joined view passes the columns of its table on, and joining takes long.
        const asked = scaled(declared.kind === 'bytes' ? views : [name], views).flatMap((view) =>
          forms(view, column, literal(declared, value)),
        )
        const [found = []] = await rowsOf(session, `select ${asked.join()}`)
        compared += 1
        if (found.some((one) => Number(one) !== count)) wrong.push({ column, value, count, found })
      }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(0)
  })
})

describe('a BLOB', () => {
  const [mobile] = resources.filter(({ name }) => name === 'mobile_reward_shares') as [Resource]

  async function countInPlainDuckdb(path: string, statement: string): Promise<unknown> {
    const instance = await DuckDBInstance.create(
      path,
      path === ':memory:' ? {} : { access_mode: 'READ_ONLY' },
    )
    const connection = await instance.connect()
    const [[count] = []] = (await connection.runAndReadAll(statement)).getRowsJS()
    connection.closeSync()
    instance.closeSync()
    return count
  }

  it('is found by any DuckDB in the file of `ledgerlake views`', async () => {
    const [[value, count] = ['', 0]] = extremes(
      (await scan(mobile)).map((row) => row.coverage_object ?? null),
    )
    const out = join(await temporaryFolder(), 'views.duckdb')
    expect(await runMain(['views', '--lake', lake, '--out', out])).toMatchObject({ code: 0 })
    const counting = `select count(*) from mobile_rewards where coverage_object = from_hex('${value}')`
    expect(await countInPlainDuckdb(out, counting)).toBe(BigInt(count))
  })

  it('of 200 rows is found by any DuckDB in the file that an ingest writes', async () => {
    const shared = Buffer.alloc(16, 7)
    const rewards = Array.from({ length: 1200 }, (_, number) =>
      mobileReward('2025-01-11', number, {
        reward_type: 'radio_reward_v2',
        coverage_object: number % 6 === 0 ? shared : Buffer.alloc(16, number % 6),
      }),
    )
    const { folder } = await makeLake({ 'mobile/mobile_network_reward_shares_v1.1.gz': rewards })
    const [path] = (await new Lake(folder).latest()).table(mobile).files.map((file) => file.path)
    const counting = `select count(*) from '${path}' where coverage_object = from_hex('${shared.toString('hex')}')`
    expect(await countInPlainDuckdb(':memory:', counting)).toBe(200n)
  })

  it('has no Bloom filter after a compaction of its month, nor in the result of a statement', async () => {
    const filters = async () =>
      (await runMain(['doctor', '--lake', lake])).stdout.match(/^note, Bloom filters: .*$/gm)
    expect(await filteredColumns(await pathsOf(mobile))).toContain('coverage_object')
    expect(await filters()).toEqual([
      expect.stringMatching(/^note, Bloom filters: 1 data file of mobile_reward_shares has /),
    ])
    await compact({ lake, months: ['2025-01'], openWriter: openTestWriter })
    const result = await session.parquet(await session.check('select * from mobile_rewards'))
    const written = [...(await pathsOf(mobile)), result]
    expect(await filteredColumns(written)).not.toContain('coverage_object')
    expect(await filters()).toBeNull()
  })
})
