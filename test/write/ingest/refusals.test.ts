import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { lakeStatus } from '../../../src/lake/snapshot/status.ts'
import type { IngestSummary } from '../../../src/write/ingest/ingest-counts.ts'
import type { IngestRequest } from '../../../src/write/ingest/pipeline.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import {
  dayEnd,
  dayStart,
  dec,
  frame,
  frameFile,
  len,
  message,
  num,
  operational,
  period,
  vectorKey,
} from '../../support/messages/oracle-messages.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { loggedSources, readTable, versionOf } from '../../support/tables/read-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

const name = 'iot_reward_share.1738369800559.gz'
const other = 'iot_reward_share.1738369800560.gz'
/** A reward of a variant that no build of today knows. */
const unknownVariant = message(period(), len(12, num(1, 5)))
const unknownSentence = 'reward variant in field 12 is not known to this build'

type Files = Readonly<Record<string, Uint8Array>>

interface Taken {
  readonly summary: IngestSummary
  readonly lake: string
  readonly input: string
}

/** Writes files, by their paths below an input folder, and takes the folder in. */
async function takeIn(files: Files, options: Partial<IngestRequest> = {}): Promise<Taken> {
  const folder = await temporaryFolder()
  const [input, lake] = [join(folder, 'input'), join(folder, 'lake')]
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(input, path, '..'), { recursive: true })
    writeFileSync(join(input, path), bytes)
  }
  const summary = await ingestInto(lake, [input], options)
  expect(stagedIn(lake)).toEqual([])
  return { summary, lake, input }
}

/** What a run has left behind of its staging. */
function stagedIn(lake: string): readonly string[] {
  const folder = join(lake, '_staging')
  return existsSync(folder) ? readdirSync(folder) : []
}

const reasonsOf = ({ summary, input }: Taken) =>
  Object.fromEntries(summary.failed.map(({ path, reason }) => [path.slice(input.length + 1), reason]))

const many = (count: number, content: Uint8Array) => new Array<Uint8Array>(count).fill(content)

describe('rows that cannot be stored', () => {
  const empty = Buffer.alloc(0)
  const backwards = message(num(1, dayEnd), num(2, dayStart), len(4, num(1, 6)))
  const messages = [
    operational(1),
    unknownVariant,
    operational(2),
    empty,
    backwards,
    operational(3),
    message(period(), len(3, num(2, 9))),
  ]

  it('are kept as rejects with source, ordinal, reason and bytes, and other rows are stored', async () => {
    const { summary, lake } = await takeIn({
      [name]: frameFile(messages),
      [other]: frameFile([operational(4)]),
    })
    expect(summary).toMatchObject({ read: 2, stored: 2, failed: [], rows: 4, refusedRows: 4 })
    const source = { source_kind: 'iot_reward_share', source_file: name }
    expect(await readTable(lake, 'rejects')).toEqual([
      { ...source, ordinal: 1n, reason: unknownSentence, message: unknownVariant.toString('hex') },
      {
        ...source,
        ordinal: 3n,
        reason: 'the message is empty; expected at least one field',
        message: '',
      },
      {
        ...source,
        ordinal: 4n,
        reason:
          'start_period is 2025-02-01T00:00:00Z and end_period is 2025-01-31T00:00:00Z; ' +
          'start_period must be before end_period',
        message: backwards.toString('hex'),
      },
      {
        ...source,
        ordinal: 6n,
        reason: 'hotspot_key is empty; expected a public key of at least one byte',
        message: messages[6]?.toString('hex'),
      },
    ])
    const stored = await readTable(lake, 'iot_reward_shares')
    expect(stored.map((row) => [row.source_file, row.ordinal, row.amount])).toEqual([
      [name, 0n, 1n],
      [name, 2n, 2n],
      [name, 5n, 3n],
      [other, 0n, 4n],
    ])
    expect(loggedSources(lake, 'iot_reward_shares')).toMatchObject([
      { name, rows: 3, refused: 4 },
      { name: other, rows: 1, refused: 0 },
    ])
  })

  it('are counted in the status of the lake', async () => {
    const { lake } = await takeIn({ [name]: frameFile(messages) })
    const { tables } = lakeStatus(await new Lake(lake).latest())
    expect(tables).toMatchObject([
      { table: 'iot_reward_shares', rows: 3, sources: 1, refused: 4 },
      { table: 'rejects', rows: 4 },
    ])
  })

  it('are not rejected again with the same file', async () => {
    const { lake, input } = await takeIn({ [name]: frameFile(messages) })
    expect(await ingestInto(lake, [input])).toMatchObject({ stored: 0, skipped: 1, rows: 0, refusedRows: 0 })
    expect(await readTable(lake, 'rejects')).toHaveLength(4)
    expect(versionOf(lake, 'rejects')).toBe(0)
  })

  it('may be all rows of a file, which is then stored without rows', async () => {
    const taken = await takeIn({ [name]: frameFile([unknownVariant, unknownVariant]) })
    expect(taken.summary).toMatchObject({ stored: 1, failed: [], rows: 0, refusedRows: 2 })
    expect(loggedSources(taken.lake, 'iot_reward_shares')).toMatchObject([{ name, rows: 0, refused: 2 }])
    expect(await ingestInto(taken.lake, [taken.input])).toMatchObject({ stored: 0, skipped: 1 })
  })

  it('are kept for manifests and witness reports as well', async () => {
    const manifest = message(len(1, 'x.gz'), num(2, dayStart), num(3, dayEnd))
    const report = message(num(1, 1_738_368_000_000), len(2, num(8, 5)))
    const { summary, lake } = await takeIn({
      'reward_manifest.1.gz': frameFile([manifest]),
      'iot_witness_ingest_report.1.gz': frameFile([report]),
    })
    expect(summary).toMatchObject({ stored: 2, rows: 0, refusedRows: 2 })
    const rejected = await readTable(lake, 'rejects')
    expect(rejected.map((row) => [row.source_file, row.message])).toEqual([
      ['reward_manifest.1.gz', manifest.toString('hex')],
      ['iot_witness_ingest_report.1.gz', report.toString('hex')],
    ])
  })

  it('are kept apart by the file that they came from', async () => {
    const { lake } = await takeIn(
      { [name]: frameFile([unknownVariant]), [other]: frameFile([operational(1), unknownVariant]) },
      { commitRows: 1 },
    )
    const rejected = await readTable(lake, 'rejects')
    expect(rejected.map((row) => [row.source_file, row.ordinal])).toEqual([
      [name, 0n],
      [other, 1n],
    ])
  })
})

describe('too many rows that cannot be stored', () => {
  const sentence = (refused: number, frames: number, allowed: number, first = 0) =>
    `${refused} of ${frames} messages were refused, more than the limit of ${allowed}; ` +
    `the first is message ${first}: ${unknownSentence}`

  it.each([
    [10, 10, undefined],
    [11, 1100, undefined],
    [12, 1200, undefined],
    [15, 15, 15],
  ])('are more than %i of %i: the other rows of the file are stored', async (refused, frames, maxRejects) => {
    const messages = [...many(frames - refused, operational(1)), ...many(refused, unknownVariant)]
    const { summary, lake } = await takeIn({ [name]: frameFile(messages) }, { maxRejects })
    expect(summary).toMatchObject({ stored: 1, failed: [], rows: frames - refused, refusedRows: refused })
    expect(await readTable(lake, 'rejects')).toHaveLength(refused)
  })

  it.each([
    [11, 11, undefined, 10],
    [11, 1099, undefined, 10],
    [12, 1199, undefined, 11],
    [1, 5, 0, 0],
    [16, 2000, 15, 15],
  ])(
    'are %i of %i: no row of the file is stored, and other files are',
    async (refused, frames, maxRejects, allowed) => {
      const good = frames - refused
      const taken = await takeIn(
        {
          [name]: frameFile([...many(good, operational(1)), ...many(refused, unknownVariant)]),
          [other]: frameFile([operational(2)]),
        },
        { maxRejects },
      )
      expect(taken.summary).toMatchObject({ read: 2, stored: 1, skipped: 0, rows: 1, refusedRows: 0 })
      expect(reasonsOf(taken)).toEqual({ [name]: sentence(refused, frames, allowed, good) })
      expect((await readTable(taken.lake, 'iot_reward_shares')).map((row) => row.source_file)).toEqual([
        other,
      ])
      expect(await readTable(taken.lake, 'rejects')).toEqual([])
    },
  )

  it('are stored once the limit is raised', async () => {
    const taken = await takeIn({ [name]: frameFile([operational(1), ...many(11, unknownVariant)]) })
    expect(taken.summary.stored).toBe(0)
    const again = await ingestInto(taken.lake, [taken.input], { maxRejects: 11 })
    expect(again).toMatchObject({ stored: 1, failed: [], rows: 1, refusedRows: 11 })
  })

  it('are one in a hundred of the whole file, at any position', async () => {
    // Slightly less than one in a hundred, though they come first.
    const refused = scaled(1001, 10_001)
    const sound = 99 * refused
    const content = Buffer.concat([
      Buffer.concat(many(refused, frame(unknownVariant))),
      Buffer.concat(many(sound, frame(operational(1)))),
    ])
    const { summary } = await takeIn({ [name]: gzipSync(content, { level: 1 }) })
    expect(summary).toMatchObject({ stored: 1, failed: [], rows: sound, refusedRows: refused })
  })
})

describe('a broken file', () => {
  const good = { [other]: frameFile([operational(2)]) }
  const whole = frameFile(Array.from({ length: 500 }, (_, index) => operational(index * 7919)))

  it('leaves no trace of the rows that were read before it broke', async () => {
    const broken = Buffer.concat([...many(5000, frame(operational(1))), Buffer.from('0000', 'hex')])
    const { lake } = await takeIn({ [name]: gzipSync(broken), ...good })
    expect(await readTable(lake, 'iot_reward_shares')).toHaveLength(1)
  })

  it('is ingested once it is complete', async () => {
    const taken = await takeIn({ [name]: whole.subarray(0, -1) })
    expect(taken.summary).toMatchObject({ stored: 0 })
    writeFileSync(join(taken.input, name), whole)
    expect(await ingestInto(taken.lake, [taken.input])).toMatchObject({ stored: 1, failed: [], rows: 500 })
  })

  it('fails again in the next ingest', async () => {
    const taken = await takeIn({ [name]: Buffer.from('garbage') })
    const again = await ingestInto(taken.lake, [taken.input])
    expect(again).toMatchObject({ stored: 0, skipped: 0, failed: taken.summary.failed })
  })
})

describe('a file without frames', () => {
  const none = gzipSync(Buffer.alloc(0))

  it.each([
    ['iot_reward_share.1738369800559.gz', 'iot_reward_shares', '2025-02'],
    ['mobile_reward_share.1738369800559.gz', 'mobile_reward_shares', '2025-02'],
    ['reward_manifest.1738369800559.gz', 'reward_manifests', '2025-02'],
    ['iot_witness_ingest_report.1738369800559.gz', 'iot_witness_ingest_reports', '2025-02'],
  ])('such as %s is stored with 0 rows and skipped in the next ingest', async (file, table, month) => {
    const { summary, lake, input } = await takeIn({ [file]: none })
    expect(summary).toMatchObject({ read: 1, stored: 1, failed: [], rows: 0, refusedRows: 0 })
    expect(loggedSources(lake, table)).toMatchObject([{ month, name: file, rows: 0, refused: 0 }])
    expect(await ingestInto(lake, [input])).toMatchObject({ stored: 0, skipped: 1, failed: [] })
    expect(versionOf(lake, table)).toBe(0)
  })

  it('does not disturb the rows of other files', async () => {
    const { summary, lake } = await takeIn({ [name]: none, [other]: frameFile([operational(2)]) })
    expect(summary).toMatchObject({ stored: 2, rows: 1 })
    expect(loggedSources(lake, 'iot_reward_shares')).toMatchObject([
      { name, rows: 0 },
      { name: other, rows: 1 },
    ])
    expect(await readTable(lake, 'iot_reward_shares')).toHaveLength(1)
  })

  it('answers empty pages and totals of 0', async () => {
    const { lake } = await takeIn({ [name]: none })
    const server = await buildTestServer(lake)
    const list = await server.get('/l2/iot-reward-shares?from=2025-01-01&to=2026-01-01')
    const totals = await server.get('/l2/iot-reward-shares/totals?from=2025-01-01&to=2026-01-01')
    await server.close()
    expect(list.text).toBe(
      '{"meta":{"count":0,"total_pages":1,"current_page":1,"next_page":null,"prev_page":null},"records":[]}',
    )
    expect(totals.text).toBe(
      '{"total_beacon_amount":0,"total_witness_amount":0,"total_dc_transfer_amount":0,"total_amount":0}',
    )
  })

  it('of manifests has the network of its folder, whatever file was read before', async () => {
    const iot = message(len(1, name), num(2, dayStart), num(3, dayEnd), len(5, dec(1, '1')))
    const { lake } = await takeIn({
      'foundation-iot-verified-rewards/reward_manifest.1738110600186.gz': frameFile([iot]),
      'foundation-mobile-verified/reward_manifest.1738110600286.gz': none,
    })
    expect(loggedSources(lake, 'reward_manifests').map((source) => [source.name, source.kind])).toEqual([
      ['reward_manifest.1738110600186.gz', 'iot_reward_manifest'],
      ['reward_manifest.1738110600286.gz', 'mobile_reward_manifest'],
    ])
  })
})

it('a file whose periods end in two months is one source in two partitions', async () => {
  const february = dayEnd
  const january = dayEnd - 86_400
  const messages = [
    operational(1, january),
    operational(20, february),
    operational(300, january),
    unknownVariant,
    operational(4000, february),
  ]
  const { summary, lake, input } = await takeIn({ [name]: frameFile(messages) })
  expect(summary).toMatchObject({ stored: 1, rows: 4, refusedRows: 1 })
  expect(loggedSources(lake, 'iot_reward_shares')).toMatchObject([
    { month: '2025-01', name, rows: 2, refused: 1 },
    { month: '2025-02', name, rows: 2, refused: 0 },
  ])
  expect(await ingestInto(lake, [input])).toMatchObject({ stored: 0, skipped: 1 })

  const server = await buildTestServer(lake)
  const total = async (from: string, to: string) =>
    (await server.get(`/l2/iot-reward-shares/totals?from=${from}&to=${to}`)).text.match(
      /"total_amount":(\d+)/,
    )?.[1]
  expect(await total('2025-01-01', '2025-01-31')).toBe('301')
  expect(await total('2025-02-01', '2025-02-28')).toBe('4020')
  expect(await total('2025-01-01', '2025-02-28')).toBe('4321')
  const list = await server.get('/l2/iot-reward-shares?from=2025-01-01&to=2025-02-28&per_page=3')
  await server.close()
  expect(list.text.match(/"amount":\d+/g)).toEqual(['"amount":1', '"amount":300', '"amount":20'])
})

describe('a message with two rewards', () => {
  it('is stored as the last one, without anything of the first', async () => {
    const twice = message(period(), len(3, len(1, vectorKey), num(2, 5)), len(4, num(1, 6)))
    const { summary, lake } = await takeIn({ [name]: frameFile([twice]) })
    expect(summary).toMatchObject({ rows: 1, refusedRows: 0 })
    expect(await readTable(lake, 'iot_reward_shares')).toMatchObject([
      { reward_type: 'operational_reward', amount: 6n, hotspot_key: null, beacon_amount: null },
    ])
  })
})

it('a text with a NUL and an unknown enum number are stored and returned unchanged', async () => {
  const { lake } = await takeIn({
    'mobile_reward_share.1738369800559.gz': frameFile([
      message(period(), len(9, len(1, 'a\0b'), num(2, 1))),
      message(period(), len(6, num(1, 77), num(2, 2))),
    ]),
  })
  const rows = await readTable(lake, 'mobile_reward_shares')
  expect(rows.map((row) => [row.reward_type, row.entity, row.service_provider_id])).toEqual([
    ['promotion_reward', 'a\0b', null],
    ['service_provider_reward', null, '77'],
  ])
})

describe('files of unknown names', () => {
  it('are reported in order and skipped', async () => {
    const strange = [
      'constructor.1738369800559.gz',
      'iot_beacon_ingest_report.1738369800559.gz',
      'iot_reward_share.1738369800559',
      'iot_reward_share.1738369800559.gz.part',
      'iot_reward_share.gz',
      'iot_reward_share.yesterday.gz',
      'iot_reward_share_v2.1738369800559.gz',
      'notes/readme.txt',
      'radio_reward_share.1738369800559.gz',
    ]
    const files = Object.fromEntries(strange.map((path) => [path, frameFile([operational(1)])]))
    const { summary, input } = await takeIn({ ...files, [name]: frameFile([operational(1)]) })
    expect(summary).toMatchObject({ read: 1, stored: 1, failed: [], rows: 1 })
    expect([...summary.unknown, ...summary.unsupported.map(({ path }) => path)]).toEqual(
      strange.map((path) => join(input, path)),
    )
  })

  it('create no lake', async () => {
    const { summary, lake } = await takeIn({ 'notes.txt': Buffer.from('nothing') })
    expect(summary).toMatchObject({ read: 0, stored: 0, failed: [], rows: 0 })
    expect(existsSync(lake)).toBe(false)
  })
})
