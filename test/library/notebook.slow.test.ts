import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance, DuckDBTypeId } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { hotspot } from '../support/lakes/make-lake.ts'
import { runProgram } from '../support/servers/run-program.ts'
import { some } from '../support/some.ts'
import { makeStatementLake } from '../support/statement/made-network.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Python and its packages come from outside npm, so the statements of the notebook run in the DuckDB of Node. */

interface Cell {
  readonly cell_type: 'code' | 'markdown'
  readonly id: string
  readonly execution_count?: null
  readonly outputs?: readonly unknown[]
  readonly source: readonly string[]
}

const text = readFileSync(new URL('../../examples/earnings.ipynb', import.meta.url), 'utf8')
const notebook = JSON.parse(text) as { readonly cells: readonly Cell[]; readonly nbformat: number }
const code = notebook.cells.filter((cell) => cell.cell_type === 'code')
const statements = code.flatMap(({ source }) =>
  [...source.join('').matchAll(/"""([\s\S]*?)"""/g)].map(([, statement = '']) => statement),
)
/** Arguments of the commands that the notebook begins with, in which only a statement has spaces. */
const commands = [...(notebook.cells[0]?.source ?? [])]
  .filter((line) => line.startsWith('bin/ledgerlake '))
  .map((line) => [...line.matchAll(/"(.*)"|(\S+)/g)].map(([word, quoted]) => quoted ?? word).slice(1))

let file: string
/** What the second command of the notebook prints. */
let printed: string

async function ask(statement: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const result = await connection.runAndReadAll(statement)
    const inexact = [DuckDBTypeId.DOUBLE, DuckDBTypeId.FLOAT, DuckDBTypeId.HUGEINT]
    expect(result.columnTypes().filter(({ typeId }) => inexact.includes(typeId))).toEqual([])
    return result.getRowsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

beforeAll(async () => {
  const lake = (await makeStatementLake()).folder
  const cwd = await temporaryFolder()
  file = join(cwd, 'network.duckdb')
  const here = (word: string) => (word === 'data/lake' ? lake : word.replace('examples/', ''))
  const [exported = [], sums = []] = commands.map((words) => words.map(here))
  expect(await runProgram(exported, { cwd })).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout } = await runProgram(sums.slice(0, sums.indexOf('>')), { cwd })
  expect(code).toBe(0)
  printed = stdout
})

describe('the notebook', () => {
  it('is one of nbformat 4 without outputs', () => {
    expect(notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5 })
    for (const { outputs, execution_count } of some(code))
      expect([outputs, execution_count]).toEqual([[], null])
    const ids = notebook.cells.map(({ id }) => id)
    expect(ids.filter((id) => !/^[\w-]{1,64}$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    expect(statements).toHaveLength(5)
  })

  it('counts the rows of each table', async () => {
    expect(await ask(statements[0] as string)).toEqual([
      ['hotspots', '6'],
      ['iot_reward_shares', '11'],
      ['l1_dc_burns', '2'],
      ['l1_rewards', '2'],
      ['mobile_reward_shares', '5'],
      ['reward_manifests', '6'],
    ])
  })

  // The digits are typed by hand from the messages: bones times price, divided by 10^12 (IOT, MOBILE) or 10^16.
  it('has what was earned on each day, where a token or price may be unknown', async () => {
    expect(await ask(statements[1] as string)).toEqual([
      ['2024-12-31', 'iot_reward_token_iot', '1007', '0.0000040280000000', '0'],
      ['2025-01-01', 'iot_reward_token_iot', '1500011', '0.0037500275000000', '0'],
      ['2025-02-14', 'mobile_reward_token_mobile', '123', '0.0000001230000000', '0'],
      ['2025-03-29', 'iot_reward_token_main', '11', '0.0000002750000000', '0'],
      ['2025-03-30', 'iot_reward_token_main', '123456789', '3.0864197250000000', '0'],
      ['2025-06-01', null, '90', null, '3'],
      ['2025-06-30', 'mobile_reward_token_main', '1000000', '0.0300000000000000', '0'],
      ['2025-07-01', 'mobile_reward_token_main', '2000000', '0.0600000000000000', '0'],
      ['2025-12-31', 'iot_reward_token_main', '20', null, '1'],
      ['2026-01-01', 'iot_reward_token_main', '530', null, '2'],
    ])
  })

  it('names the hotspots that earned most, those without a price at the end', async () => {
    const unpriced = [
      [hotspot(6).text, null, null, '1'],
      [hotspot(7).text, 'Brave Blue Heron', null, '1'],
    ].sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1))
    expect(await ask(statements[2] as string)).toEqual([
      [hotspot(2).text, 'Two, of "A"', '3.0864200000000000', '1'],
      [hotspot(3).text, 'Hotspot b1', '0.0900000000000000', '0'],
      [hotspot(1).text, 'Hotspot a1', '0.0037541785000000', '3'],
      ...unpriced,
    ])
  })

  it('has the sums that the program prints', async () => {
    const sums = ['iot_reward_token_iot,3,1501018', 'iot_reward_token_main,5,123457350', ',3,90']
    expect(printed.trim().split('\n').sort()).toEqual(['token,shares,bones', ...sums].sort())
    const rows = await ask(statements[3] as string)
    expect(rows.map((row) => row.map((cell) => cell ?? '').join()).sort()).toEqual([...sums].sort())
    expect((await ask(statements[4] as string)).length).toBe(11)
  })
})
