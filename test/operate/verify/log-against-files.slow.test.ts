import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeActionLines } from '../../../src/lake/log/log-entry.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { isFault } from '../../../src/operate/verify/finding.ts'
import type { MadeLake } from '../../support/lakes/make-lake.ts'
import { makeSoundLake, verifierOf } from '../../support/lakes/sound-lake.ts'
import { withInlineFacts } from '../../support/tables/file-facts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Every checksum holds; what the log says is not so. */

let made: MadeLake
let lake = ''

beforeAll(async () => {
  made = await makeSoundLake()
  rmSync(join(made.folder, '_state'), { recursive: true })
})

beforeEach(async () => {
  lake = join(await temporaryFolder(), 'lake')
  cpSync(made.folder, lake, { recursive: true })
})

type Action = Record<string, Record<string, unknown>>

/** Writes the newest entry of a table anew, with the digest that it then has, and without checkpoints of it. */
function rewriteNewest(change: (add: Record<string, unknown>) => void, table = 'iot_reward_shares'): void {
  const folder = join(lake, table, '_delta_log')
  const names = readdirSync(folder)
  for (const name of names.filter((own) => /snapshot|checkpoint/.test(own))) rmSync(join(folder, name))
  const path = join(
    folder,
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .at(-1) ?? '',
  )
  const [first, ...actions] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): Action => JSON.parse(line))
  for (const { add } of [...actions]) {
    if (add === undefined) continue
    Object.assign(add, withInlineFacts(join(lake, table), add))
    const before = { ...add }
    change(add)
    // A change of the path is one more file.
    if (add.path !== before.path) actions.push({ add: before })
  }
  const head = (digest: string) => ({ commitInfo: { ...first?.commitInfo, digest } })
  writeFileSync(path, writeActionLines(head, actions))
}

async function faults(): Promise<readonly string[]> {
  const { findings } = await (await verifierOf(lake)).verify()
  return findings.filter(isFault).map(({ kind, what }) => `${kind}: ${what}`)
}

const inTag = (name: string, from: RegExp, to: string) => (add: Record<string, unknown>) => {
  const tags = add.tags as Record<string, string>
  expect(tags[name]).toMatch(from)
  tags[name] = (tags[name] ?? '').replace(from, to)
}
const inStats = (from: RegExp, to: string) => (add: Record<string, unknown>) => {
  expect(add.stats).toMatch(from)
  add.stats = String(add.stats).replace(from, to)
}

describe('a log that disagrees with its files', () => {
  it.each([
    ['a sum', inTag('ledgerlake.sources', /"beacon_amount":"5"/, '"beacon_amount":"6"'), 'beacon_amount'],
    [
      'a number of rows',
      inTag('ledgerlake.sources', /"rows":3,/, '"rows":4,'),
      'Its footer has 5 rows where the log says 6.',
    ],
    [
      'the rows of two sources',
      (add: Record<string, unknown>) => {
        inTag('ledgerlake.sources', /"rows":3,/, '"rows":2,')(add)
        inTag('ledgerlake.sources', /"rows":1,/, '"rows":2,')(add)
      },
      '2 rows',
    ],
    ['a period', inTag('ledgerlake.sources', /2025-01-13T00/, '2025-01-14T00'), 'gateway_reward 1 rows'],
    [
      'the greatest value',
      inStats(
        /"maxValues":\{(.*)"beacon_amount":9223372036854775808/,
        '"maxValues":{$1"beacon_amount":9223372036854775807',
      ),
      'Its statistics in the log differ from its rows: ',
    ],
    [
      'a number of nulls',
      inStats(/"nullCount":\{"source_file":0/, '"nullCount":{"source_file":1'),
      'Its statistics in the log differ',
    ],
    [
      'a bound of a chunk',
      inTag('ledgerlake.chunks', /"1736553600000000"/, '"1736553600000001"'),
      'The log says other values of its rows from 0 on.',
    ],
    [
      'a count of a value',
      inTag('ledgerlake.chunks', /"gateway_reward":5/, '"gateway_reward":6'),
      'The log says other values of its rows from 0 on.',
    ],
  ])('in %s of a sound file is a fault that names the value', async (_, change, words) => {
    rewriteNewest(change)
    const found = (await faults()).filter((line) => line.startsWith('rows: '))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(words)
  })

  it('by naming a source twice, in two files or with two digests, is a fault', async () => {
    const at = await new Lake(lake).latest()
    expect(at.tables.length).toBeGreaterThan(3)
    rewriteNewest(inTag('ledgerlake.sources', /("name":"iot_reward_share\.)2(\.gz)/, '$11$2'))
    expect(await faults()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^source: iot_reward_share\.1\.gz is in it with two digests\.$/),
        expect.stringMatching(/^source: iot_reward_share\.1\.gz is named twice by /),
      ]),
    )
  })

  it('by naming two files of a partition with the same rows is a fault', async () => {
    const twin = (path: unknown) => String(path).replace(/part-.*/, 'part-0.parquet')
    rewriteNewest((add) => {
      cpSync(join(lake, 'l1_rewards', String(add.path)), join(lake, 'l1_rewards', twin(add.path)))
      add.path = twin(add.path)
    }, 'l1_rewards')
    const at = await new Lake(lake).latest()
    const [doubled] = at.tables.filter(({ resource }) => resource.name === 'l1_rewards')
    expect(doubled?.files).toHaveLength(4)
    expect(await faults()).toEqual(
      ['2022-01', '9999-12'].map((month) => {
        const rows = doubled?.files.find(({ partition }) => partition === month)?.rows
        return `source: ${rows} rows are in two files of ${month}.`
      }),
    )
  })
})
