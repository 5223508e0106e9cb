import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '../../src/catalog/resources.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { must, runMain } from '../support/servers/run-main.ts'
import { some } from '../support/some.ts'
import { makeFolder } from '../support/temporary-folder.ts'

let cwd: string
let remove: () => Promise<void>
const formats = ['parquet', 'csv', 'ndjson'] as const
const lists = ['iot_reward_shares', 'mobile_reward_shares', 'hotspots', 'l1_gateways', 'l1_rewards'] as const

beforeAll(async () => {
  const made = await makeFolder()
  cwd = made.folder
  remove = made.remove
  const lake = join(cwd, 'lake')
  await copySmallLake(lake)
  for (const format of formats) {
    mkdirSync(join(cwd, format))
    for (const list of lists) {
      const range = list.endsWith('shares') ? ['--from', '2019-01-01', '--to', '2030-01-01'] : []
      await must('export', list, ...range, '--lake', lake, '--out', join(cwd, format, `${list}.${format}`))
    }
  }
})
afterAll(() => remove())

const sql = (files: string, statement: string, ...words: string[]) =>
  runMain(['sql', '--files', files, '--format', 'csv', ...words, statement], { cwd })

describe('sql --files', () => {
  it.each(lists)('reads the same rows of %s from Parquet, CSV and NDJSON', async (list) => {
    const decimals = Object.entries(resources.find(({ name }) => name === list)?.columns ?? {})
      .filter(([, { kind }]) => kind === 'decimal')
      .map(([column]) => column)
    const columns = decimals.length === 0 ? '*' : `* EXCLUDE (${decimals.join(', ')})`
    const read = async (format: string, selected: string) => {
      const { code, stdout, stderr } = await sql(format, `SELECT ${selected} FROM ${list} ORDER BY id`)
      expect([code, stderr]).toEqual([0, ''])
      return some(stdout.trim().split('\n').slice(1))
    }
    expect(await read('csv', '*')).toEqual(await read('parquet', '*'))
    expect(await read('ndjson', columns)).toEqual(await read('parquet', columns))
    const lines = readFileSync(join(cwd, 'ndjson', `${list}.ndjson`), 'utf8')
      .trim()
      .split('\n')
    expect(await read('parquet', 'id')).toEqual(lines.map((line) => JSON.parse(line).id).sort())
  })

  it('joins lists, and reads no other file', async () => {
    const joined = 'SELECT count(*) FROM iot_reward_shares s JOIN hotspots h ON s.hotspot_key = h.ecc_key'
    const counted = await sql('csv', joined)
    expect(counted.stdout).toMatch(/\n\d+\n$/)
    expect((await sql('parquet', joined)).stdout).toBe(counted.stdout)
    for (const from of [`read_csv('${cwd}/csv/hotspots.csv')`, `'${cwd}/csv/hotspots.csv'`, 'makers'])
      expect((await sql('csv', `SELECT * FROM ${from}`)).code, from).toBe(2)
  })

  const bad = (name: string, content: string | Buffer, files: Record<string, string> = {}) => {
    const folder = join(cwd, `bad-${name}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), content)
    for (const [other, text] of Object.entries(files)) writeFileSync(join(folder, other), text)
    return sql(folder, `SELECT * FROM ${name.split('.')[0]}`)
  }

  it.each([
    ['hotspot.csv', 'id\n', {}, 'hotspot.csv is named by no list; did you mean hotspots.'],
    [
      'hotspots.csv',
      'id,colour\n',
      {},
      'hotspots.csv has the column "colour"; expected columns of hotspots: id,',
    ],
    ['makers.csv', 'id,bump_seed\na,tall\n', {}, 'Could not convert string "tall" to \'INTEGER\''],
    ['makers.ndjson', '[1', {}, 'Line 1 of makers.ndjson is not a JSON object'],
    ['l1_rewards.csv', 'id\n', { 'l1_rewards.ndjson': '' }, 'have the same list; keep one of them.'],
    ['notes.txt', 'mine', {}, 'has no exported files; expected names such as'],
  ])('refuses %s with content %j', async (name, content, files, sentence) => {
    const { code, stderr } = await bad(name, content, files as Record<string, string>)
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  it('names a Parquet file that is cut', async () => {
    const whole = readFileSync(join(cwd, 'parquet', 'hotspots.parquet'))
    const { code, stderr } = await bad('hotspots.parquet', whole.subarray(0, whole.length >> 1))
    expect([code, stderr]).toEqual([4, expect.stringContaining('hotspots.parquet')])
  })

  it('refuses --lake and --as-of beside --files', async () => {
    for (const flag of ['--lake', '--as-of'])
      expect((await sql('csv', 'SELECT 1', flag, 'x')).stderr, flag).toContain('cannot be used with option')
  })
})
