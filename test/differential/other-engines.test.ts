import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resources } from '../../src/catalog/resources.ts'
import { compareMeasures, compareRows, together } from '../support/engines/compare.ts'
import { tablesOf, viewColumns } from '../support/engines/job.ts'
import { bringBackRemoved } from '../support/engines/plant.ts'
import { engineTable, withTable } from '../support/engines/table.ts'
import { makeLake, thirtyShares } from '../support/lakes/make-lake.ts'
import { runMain } from '../support/servers/run-main.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('the comparison reports each value that differs, is missing, or is additional', () => {
  const expected = { a: { rows: '2', 'x sum': '18446744073709551615' }, b: { rows: '1' } }
  expect(compareMeasures(expected, structuredClone(expected))).toMatchObject({
    equalTables: 2,
    values: 3,
    equalValues: 3,
  })
  const found = { a: { rows: '2', 'x sum': '18446744073709551616', 'month=2025-01': '2' } }
  expect(compareMeasures(expected, found)).toEqual({
    ...{ tables: 2, equalTables: 0, values: 4, equalValues: 1 },
    differences: [
      'a, x sum: 18446744073709551616, expected 18446744073709551615',
      'a, month=2025-01: 2, expected nothing',
      'b, rows: nothing, expected 1',
    ],
  })
})

it('the comparison of views ignores the order of rows, compares every zero, and reports a missing view', async () => {
  const folder = await temporaryFolder()
  const write = (name: string, ...rows: unknown[]) => {
    const file = join(folder, name)
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    return file
  }
  const expected = write('expected', ['1', '1.50'], ['2', null])
  expect(compareRows('v', expected, write('same', ['2', null], ['1', '1.50']))).toMatchObject({
    equalValues: 4,
    values: 4,
  })
  const short = compareRows('v', expected, write('short', ['2', null], ['1', '1.5']))
  expect(short.differences).toEqual(['v: ["1","1.5"], expected ["1","1.50"]'])
  expect(together([short, compareRows('v', expected, join(folder, 'none'))])).toMatchObject({
    values: 8,
    equalValues: 2,
  })
})

it('the statements cover every column of every table and every view', () => {
  const versions = Object.fromEntries(resources.map(({ name }) => [name, 7]))
  const tables = tablesOf('/lake', versions)
  for (const { name, columns } of some(resources)) {
    const kinds = Object.entries(tables[name]?.columns ?? {})
    expect(kinds.map(([column]) => column)).toEqual(expect.arrayContaining(Object.keys(columns)))
    expect(kinds.filter(([, kind]) => kind === undefined)).toEqual([])
    expect(tables[name]?.older).toBe(3)
  }
  expect(Object.keys(viewColumns())).toEqual(expect.arrayContaining(['iot_rewards', 'mobile_rewards']))
})

it('the table of results is written between its markers, and a page without them is refused', () => {
  const verdict = { tables: 14, equalTables: 13, values: 1234, equalValues: 1233, differences: ['x'] }
  const table = engineTable([{ name: 'E', version: '1', tables: verdict, remark: 'r' }])
  expect(table.split('\n').at(-1)).toBe('| E | 1 | 13 of 14 | 1,233 of 1,234 | - | - | r |')
  const page = readFileSync('docs/guide/reading-with-other-engines.md', 'utf8')
  const written = withTable(page, table)
  expect(written).toContain(`\n\n${table}\n\n[//]: # (to here)`)
  expect(withTable(written, table)).toBe(written)
  expect(() => withTable('# A page', table)).toThrow('the page has no lines')
})

it('a planted fault restores rows that the log removed and no checkpoint has', async () => {
  const made = await makeLake({ 'iot_reward_share.1.gz': thirtyShares('2025-01-02') })
  await made.add({ 'iot_reward_share.2.gz': thirtyShares('2025-01-03') })
  await made.add({ 'iot_reward_share.3.gz': thirtyShares('2025-02-03') })
  expect(await runMain(['compact', '--lake', made.folder])).toMatchObject({ code: 0 })
  const log = join(made.folder, 'iot_reward_shares', '_delta_log')
  const actions = () =>
    readdirSync(log).flatMap((name) =>
      name.endsWith('.json') ? readFileSync(join(log, name), 'utf8').split('\n') : [],
    )
  const isRemove = (line: string) => line.startsWith('{"remove"')
  expect(actions().filter(isRemove).length).toBe(2)
  expect(bringBackRemoved(made.folder, ['iot_reward_shares'])).toEqual(['iot_reward_shares'])
  expect(actions().filter(isRemove)).toEqual([])
  expect(readdirSync(log).filter((name) => name.includes('checkpoint'))).toEqual([])
  expect(bringBackRemoved(made.folder, ['iot_reward_shares'])).toEqual([])
})
