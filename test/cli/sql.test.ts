import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLake } from '../../src/lake/snapshot/lake.ts'
import { readExact } from '../support/exact-json.ts'
import { readExpected } from '../support/fixtures.ts'
import { contentOf } from '../support/lakes/lake-content.ts'
import { dayBefore, hotspot, iotShare, writeOracleFiles } from '../support/lakes/make-lake.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { runMain } from '../support/servers/run-main.ts'
import { startProgram } from '../support/servers/run-program.ts'
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

const sql = (...words: string[]) => runMain(['sql', '--lake', 'lake', ...words], { cwd })
const TOTALS =
  'select reward_type, count(*) n, sum(earned) earned from iot_rewards group by all order by n desc'
/** What the encoder of the small network wrote for hotspots. */
const whole = some(readExpected().queries).find(
  ({ network, params }) => network === 'iot' && !('hotspot_key' in params),
)

describe('ledgerlake sql', () => {
  it('prints a table', async () => {
    const { total_beacon_amount, total_witness_amount, total_dc_transfer_amount } = whole?.totals ?? {}
    const sums = [total_beacon_amount, total_witness_amount, total_dc_transfer_amount]
    const earned = sums.reduce((sum, digits) => sum + BigInt(digits ?? 0), 0n)
    expect(await sql(TOTALS)).toEqual({
      code: 0,
      stderr: '',
      stdout: `reward_type           n     earned
gateway_reward      437  ${earned}
unallocated_reward   16       NULL
operational_reward    4       NULL
(3 rows)
`,
    })
  })

  it('prints CSV and NDJSON', async () => {
    const csv = await sql('--format', 'csv', TOTALS)
    expect(csv).toMatchObject({ code: 0, stderr: '' })
    expect(csv.stdout.split('\n')[0]).toBe('reward_type,n,earned')
    const { stdout } = await sql('--format', 'ndjson', TOTALS)
    expect(readExact(stdout.split('\n')[0] ?? '')).toMatchObject({ n: 437n, earned: expect.any(BigInt) })
  })

  it('binds values of parameters in every format, and names one that does not fit', async () => {
    const one = ['--parameter', '2025-01-31', '--parameter', '-1', 'select $1::date as day, $2::bigint as n']
    expect((await sql('--format', 'csv', ...one)).stdout).toBe('day,n\n2025-01-31,-1\n')
    expect((await sql('--format', 'ndjson', ...one)).stdout).toBe('{"day":"2025-01-31","n":-1}\n')
    expect((await sql(...one)).stdout).toContain('2025-01-31  -1')
    const wrong = await sql('--parameter', 'x', 'select ?::integer')
    expect(wrong.stderr).toContain('Parameter $1 is "x"; expected a value of the type INTEGER.')
    expect((await sql('select $1')).stderr).toContain(
      'The statement has 1 parameter, and 0 values are given.',
    )
  })

  it('queries an older snapshot', async () => {
    const at = (await (await openLake(join(cwd, 'lake'))).latest()).id
    const count = async (...words: string[]) =>
      (await sql('--format', 'csv', ...words, 'select count(*) n from iot_rewards')).stdout
    const share = { ...dayBefore('2025-02-01'), reward_type: 'gateway_reward', beacon_amount: 1n } as const
    await writeOracleFiles(join(cwd, 'more'), {
      'iot_reward_share.9.gz': [iotShare({ ...share, hotspot_key: hotspot(1).raw })],
    })
    expect(await runMain(['ingest', 'more', '--lake', 'lake'], { cwd })).toMatchObject({ code: 0 })
    expect([await count('--as-of', at), await count()]).toEqual(['n\n457\n', 'n\n458\n'])
    expect(await sql('--as-of', 'yesterday', 'select 1')).toMatchObject({ code: 2, stdout: '' })
  })

  it.each([
    ["copy (select 1) to 'x.csv'", 'ledgerlake: COPY is not accepted; use one SELECT at a time'],
    ['select 1; select 2', '2 statements are given; give one.'],
    ['', '0 statements are given; give one.'],
  ])('refuses %j with 2, on standard error alone', async (statement, told) => {
    const before = contentOf(cwd)
    const { code, stdout, stderr } = await sql(statement)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(told)])
    expect(contentOf(cwd)).toEqual(before)
  })

  it('ends with 2 if a row fails after others were written', async () => {
    const { code, stdout, stderr } = await sql(
      '--format',
      'csv',
      "select if(i < 100000, i, ('x' || i)::int) n from range(100001) r(i)",
    )
    expect(stdout.split('\n').length).toBeGreaterThan(1000)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("Could not convert string 'x100000' to INT32"),
    ])
  })

  it('refuses other formats and a missing lake', async () => {
    expect(await sql('--format', 'xml', 'select 1')).toMatchObject({ code: 2, stdout: '' })
    expect(await runMain(['sql', '--lake', 'none', 'select 1'], { cwd })).toMatchObject({
      code: 4,
      stdout: '',
    })
  })
})

describe('ledgerlake sql as a program', () => {
  const start = (...words: string[]) => startProgram(['sql', '--lake', 'lake', ...words], { cwd })

  it('runs the statements of a pipe up to the first that fails', async () => {
    const { child, finished } = start('--format', 'csv')
    child.stdin.end("select 'a;b' a; -- ;\nselect 2 b;\nselect c;\nselect 4 d")
    expect(await finished).toEqual({
      code: 2,
      stdout: 'a\na;b\nb\n2\n',
      stderr: expect.stringContaining('ledgerlake: Binder Error: Referenced column "c" was not found'),
    })
  })

  it('writes the bytes of a Parquet file', async () => {
    const { child, finished } = start('--format', 'parquet', 'select 1 a')
    child.stdout.setEncoding('latin1')
    const { code, stdout } = await finished
    expect([code, stdout.slice(0, 4), stdout.slice(-4)]).toEqual([0, 'PAR1', 'PAR1'])
  })

  it('ends a statement on Ctrl-C, and leaves no scratch folder', async () => {
    const { child, finished } = start('--format', 'csv', 'select i from range(100000000000) r(i)')
    // The head goes with the first rows.
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect(await finished).toMatchObject({ code: 130, stderr: 'ledgerlake: cancelled\n' })
    expect(Object.keys(contentOf(join(cwd, 'lake'))).filter((path) => path.includes('spill'))).toEqual([])
  })

  it('stops with a reader that has seen enough', async () => {
    const { child, finished } = start('--format', 'csv', 'select i from range(100000000) r(i)')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect(await finished).toMatchObject({ code: 0, stderr: '' })
  })
})
