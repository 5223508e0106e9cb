import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExact } from '../../support/exact-json.ts'
import { readExpected, smallOracle } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import {
  dayEnd,
  dayStart,
  frameFile,
  len,
  message,
  num,
  operational,
  period,
  vectorKey,
} from '../../support/messages/oracle-messages.ts'
import { answersOf } from '../../support/read-answers.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { loggedSources, readTable, versionOf } from '../../support/tables/read-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

const { queries: allQueries, counts } = readExpected()
/** In npm test every third; others ask all of them of this lake. */
const queries = allQueries.filter((_, place) => place % scaled(3, 1) === 0)
const lists = { iot: '/l2/iot-reward-shares', mobile: '/l2/mobile-reward-shares' } as const
const tables = [
  'iot_reward_shares',
  'mobile_reward_shares',
  'reward_manifests',
  'iot_witness_ingest_reports',
] as const

/** Every oracle file of the small network, by path. */
const files = readdirSync(smallOracle, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.\d+\.gz$/.test(name))
  .map((name) => join(smallOracle, name))
  .sort()
const isManifest = (path: string) => basename(path).includes('manifest')
const manifests = files.filter(isManifest)
const others = files.filter((path) => !isManifest(path))

/** A list with what it has to say of itself and of others. */
interface PageBody {
  readonly records: readonly {
    readonly id: string
    readonly reward_type: string
    readonly reward_manifest: { readonly id: string } | null
    readonly reward_detail: Readonly<Record<string, unknown>>
  }[]
}

async function textOf(server: TestServer, path: string): Promise<string> {
  const { status, text } = await server.get(path)
  expect(status, text).toBe(200)
  return text
}

const everything = { from: '2000-01-01', to: '2100-01-01', per_page: '100' }

/** Every page of the lists, and of everything that the expected totals are about. */
const asked = [
  [lists.iot, everything] as const,
  [lists.mobile, everything] as const,
  ...queries.map(({ network, params }) => [lists[network], { ...params, per_page: '100' }] as const),
]

const byIdentity = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>) =>
  `${a.source_file} ${String(a.ordinal).padStart(9)}` < `${b.source_file} ${String(b.ordinal).padStart(9)}`
    ? -1
    : 1

/** All rows of a lake, table by table, in an order that does not depend on its files. */
async function rowsOf(lake: string): Promise<Record<string, readonly object[]>> {
  const rows: Record<string, readonly object[]> = {}
  for (const table of tables) rows[table] = [...(await readTable(lake, table))].sort(byIdentity)
  return rows
}

const versionsOf = (lake: string) =>
  Object.fromEntries(tables.map((table) => [table, versionOf(lake, table)]))

/** A digest of every file below the tables of a lake. */
function bytesOf(lake: string): Record<string, string> {
  const names = readdirSync(lake, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Object.fromEntries(
    names.map((name) => [name, createHash('sha256').update(readFileSync(name)).digest('hex')]),
  )
}

/** Ways to take in the small network, each with the versions that its tables then have. */
const ways: readonly [way: string, take: (lake: string, spare: string) => Promise<void>, versions: object][] =
  [
    [
      'twice',
      async (lake) => {
        await ingestInto(lake, [smallOracle])
        const before = bytesOf(lake)
        const again = await ingestInto(lake, [smallOracle])
        expect(again).toMatchObject({ read: 20, stored: 0, skipped: 20, failed: [], rows: 0, refusedRows: 0 })
        expect(bytesOf(lake)).toEqual(before)
      },
      { iot_reward_shares: 0, mobile_reward_shares: 0, reward_manifests: 0, iot_witness_ingest_reports: 0 },
    ],
    [
      'one file at a time from the newest to the oldest, with the manifests last',
      async (lake) => {
        for (const path of [...others.toReversed(), ...manifests.toReversed()]) {
          expect(await ingestInto(lake, [path])).toMatchObject({ read: 1, stored: 1, failed: [] })
        }
      },
      { iot_reward_shares: 3, mobile_reward_shares: 3, reward_manifests: 7, iot_witness_ingest_reports: 3 },
    ],
    [
      'with the manifests first',
      async (lake) => {
        expect(await ingestInto(lake, manifests)).toMatchObject({ stored: 8 })
        expect(await ingestInto(lake, others)).toMatchObject({ stored: 12 })
      },
      { iot_reward_shares: 0, mobile_reward_shares: 0, reward_manifests: 0, iot_witness_ingest_reports: 0 },
    ],
    [
      'with a commit for every file',
      async (lake) => {
        expect(await ingestInto(lake, [smallOracle], { commitRows: 1 })).toMatchObject({ stored: 20 })
      },
      { iot_reward_shares: 3, mobile_reward_shares: 3, reward_manifests: 7, iot_witness_ingest_reports: 3 },
    ],
    [
      'out of one flat folder',
      async (lake, spare) => {
        mkdirSync(spare)
        for (const path of files) copyFileSync(path, join(spare, basename(path)))
        expect(await ingestInto(lake, [spare])).toMatchObject({ stored: 20, unknown: [] })
      },
      { iot_reward_shares: 0, mobile_reward_shares: 0, reward_manifests: 0, iot_witness_ingest_reports: 0 },
    ],
  ]

describe('the small network', () => {
  let root: string
  let atOnce: Readonly<Record<string, string>>
  let rowsAtOnce: Record<string, readonly object[]>

  beforeAll(async () => {
    root = await temporaryFolder()
    const lake = join(root, 'at-once')
    const summary = await ingestInto(lake, [smallOracle])
    expect(summary).toMatchObject({ read: 20, stored: 20, skipped: 0, failed: [], refusedRows: 0 })
    atOnce = await answersOf(lake, asked)
    rowsAtOnce = await rowsOf(lake)
  })

  it('has every share once with a unique id, and the expected totals', () => {
    for (const [network, list] of Object.entries(lists)) {
      const ids = Object.entries(atOnce)
        .filter(([path]) => path.startsWith(`${list}?`) && path.includes(`from=${everything.from}`))
        .flatMap(([, text]) => readExact<PageBody>(text).records.map((record) => record.id))
      expect(ids).toHaveLength(counts[network] ?? -1)
      expect(new Set(ids).size).toBe(ids.length)
    }
    for (const { network, params, totals } of queries) {
      const members = Object.entries(totals).map(([name, digits]) => `"${name}":${digits}`)
      const path = `${lists[network]}/totals?${new URLSearchParams(params)}`
      expect(atOnce[path]).toBe(`{${members.join(',')}}`)
    }
    expect(rowsAtOnce.iot_witness_ingest_reports).toHaveLength(counts.witness ?? -1)
    expect(rowsAtOnce.reward_manifests).toHaveLength(counts.manifests ?? -1)
  })

  it.each(scaled(ways.slice(2, 3), ways))(
    'ingested %s returns the same bytes',
    async (way, take, versions) => {
      const lake = join(root, way.replaceAll(' ', '-'))
      await take(lake, `${lake}-files`)
      expect(versionsOf(lake)).toEqual(versions)
      expect(await rowsOf(lake)).toEqual(rowsAtOnce)
      const answers = await answersOf(lake, asked)
      expect(Object.keys(answers)).toEqual(Object.keys(atOnce))
      for (const [path, body] of Object.entries(atOnce)) expect(answers[path], path).toBe(body)
    },
  )

  it('ingests a newer file alone, and only its table has a new version', async () => {
    const lake = join(root, 'newer')
    const input = join(root, 'newer-input')
    mkdirSync(input)
    for (const path of files) copyFileSync(path, join(input, basename(path)))
    await ingestInto(lake, [input])
    const before = bytesOf(lake)

    const newer = 'iot_network_reward_shares_v1.1738456200123.gz'
    writeFileSync(join(input, newer), frameFile([operational(5, dayEnd + 86_400)]))
    expect(await ingestInto(lake, [input])).toMatchObject({ read: 21, stored: 1, skipped: 20, rows: 1 })
    expect(versionsOf(lake)).toEqual({
      iot_reward_shares: 1,
      mobile_reward_shares: 0,
      reward_manifests: 0,
      iot_witness_ingest_reports: 0,
    })
    const after = bytesOf(lake)
    const added = Object.keys(after).filter((name) => !(name in before))
    expect(added.map((name) => name.slice(lake.length + 1).replace(/(part-|_facts\/).*/, '$1'))).toEqual([
      'iot_reward_shares/_delta_log/00000000000000000001.json',
      'iot_reward_shares/_facts/',
      'iot_reward_shares/month=2025-02/part-',
    ])
    expect(after).toMatchObject(before)
  })
})

describe('a source', () => {
  it('with two equal messages gives two rows with different ids, which end in their positions', async () => {
    const folder = await temporaryFolder()
    const lake = join(folder, 'lake')
    const file = join(folder, 'iot_reward_share.1738369800559.gz')
    writeFileSync(file, frameFile([operational(7), operational(7), operational(7)]))
    expect(await ingestInto(lake, [file])).toMatchObject({ stored: 1, rows: 3 })

    const server = await buildTestServer(lake)
    const { records } = readExact<PageBody>(
      await textOf(server, `${lists.iot}?from=2025-01-01&to=2025-03-01`),
    )
    const totals = await textOf(server, `${lists.iot}/totals?from=2025-01-01&to=2025-03-01`)
    await server.close()
    expect(records.map(({ id: _, ...record }) => record)).toEqual(
      Array(3).fill({ ...records[0], id: undefined }),
    )
    const ids = records.map((record) => record.id)
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(ids.map((id) => id.slice(-10))).toEqual(['0000000000', '0000000001', '0000000002'])
    expect(new Set(ids.map((id) => id.slice(0, -10))).size).toBe(1)
    expect(totals).toContain('"total_amount":21}')
  })

  it('is the same source in two folders', async () => {
    const folder = await temporaryFolder()
    const bytes = frameFile([operational(7)])
    for (const name of ['a', 'b']) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'iot_reward_share.1738369800559.gz'), bytes)
    }
    const input = [join(folder, 'a'), join(folder, 'b')]
    expect(await ingestInto(join(folder, 'lake'), input)).toMatchObject({ read: 2, stored: 1, skipped: 1 })
  })

  it('with the name of a manifest of the other network is another source', async () => {
    const folder = await temporaryFolder()
    const lake = join(folder, 'lake')
    const times = message(num(2, dayStart), num(3, dayEnd))
    for (const [name, field] of [
      ['foundation-iot-verified-rewards', 5],
      ['foundation-mobile-verified', 4],
    ] as const) {
      mkdirSync(join(folder, name))
      writeFileSync(
        join(folder, name, 'reward_manifest.1738369800658.gz'),
        frameFile([message(times, len(field))]),
      )
    }
    expect(await ingestInto(lake, [folder])).toMatchObject({ read: 2, stored: 2, failed: [], rows: 2 })
    expect(
      loggedSources(lake, 'reward_manifests')
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['iot_reward_manifest', 'mobile_reward_manifest'])
  })

  it('with other bytes under a stored name is reported as failed, and the lake does not change', async () => {
    const folder = await temporaryFolder()
    const lake = join(folder, 'lake')
    const name = 'iot_reward_share.1738369800559.gz'
    const path = join(folder, name)
    const [first, second] = [frameFile([operational(7)]), frameFile([operational(8)])]
    const digests = [first, second].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
    writeFileSync(path, first)
    await ingestInto(lake, [path])
    const before = bytesOf(lake)

    writeFileSync(path, second)
    expect(await ingestInto(lake, [path])).toMatchObject({
      read: 1,
      stored: 0,
      skipped: 0,
      rows: 0,
      failed: [
        {
          path,
          reason:
            `the lake holds ${name} with other bytes (SHA-256 ${digests[0]}, now ${digests[1]}); ` +
            'use the same bytes or another name, or --replace',
        },
      ],
    })
    expect(bytesOf(lake)).toEqual(before)
  })

  it('that has two contents in one run is stored with the first, and the other is reported as failed', async () => {
    const folder = await temporaryFolder()
    const lake = join(folder, 'lake')
    for (const [name, amount] of [
      ['a', 1],
      ['b', 2],
    ] as const) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'iot_reward_share.1738369800559.gz'), frameFile([operational(amount)]))
    }
    const summary = await ingestInto(lake, [join(folder, 'b'), join(folder, 'a')])
    expect(summary).toMatchObject({ stored: 1, rows: 1, skipped: 0 })
    expect(summary.failed.map(({ path }) => path)).toEqual([
      join(folder, 'b', 'iot_reward_share.1738369800559.gz'),
    ])
    expect((await readTable(lake, 'iot_reward_shares')).map((row) => row.amount)).toEqual([1n])
  })
})

describe('a value that depends on the manifest', () => {
  const name = 'mobile_network_reward_shares_v1.1738369800566.gz'
  const range = 'from=2025-01-01&to=2025-03-01'
  /** 2^31 = 2,147,483,648; 5 bones at a price of 3 are 3,579,139,413.33 bytes, 1 bone is 715,827,882.67. */
  const shares = [
    message(period(), len(4, len(1, vectorKey), num(2, 5))),
    message(period(), len(4, len(1, vectorKey), num(2, 1))),
    message(period(), len(7, num(1, 5), num(2, 123_456_789))),
  ]
  const manifest = message(len(1, name), num(2, dayStart), num(3, dayEnd), len(4, num(4, 1)), num(7, 3))

  it('is null before the manifest is stored, and set right after it on the same server', async () => {
    const folder = await temporaryFolder()
    const lake = join(folder, 'lake')
    writeFileSync(join(folder, name), frameFile(shares))
    await ingestInto(lake, [join(folder, name)])
    const server = await buildTestServer(lake, 100)

    const before = await textOf(server, `${lists.mobile}?${range}`)
    const details = (text: string) => readExact<PageBody>(text).records.map((record) => record.reward_detail)
    expect(details(before)).toMatchObject([
      { dc_transfer_reward: 5n, formatted_dc_transfer_reward: null, offloaded_bytes: null },
      { dc_transfer_reward: 1n, formatted_dc_transfer_reward: null, offloaded_bytes: null },
      { amount: 123_456_789n, formatted_amount: null },
    ])
    expect(readExact<PageBody>(before).records.map((record) => record.reward_manifest)).toEqual([
      null,
      null,
      null,
    ])
    expect(await textOf(server, `${lists.mobile}/totals?${range}`)).toContain('"total_offloaded_bytes":0}')

    writeFileSync(join(folder, 'network_reward_manifest_v1.1738369800758.gz'), frameFile([manifest]))
    expect(await ingestInto(lake, [folder])).toMatchObject({ stored: 1, skipped: 1 })
    await expect
      .poll(() =>
        server.get('/l2/mobile-reward-shares?from=2025-01-01&to=2025-03-01').then(({ text }) => text),
      )
      .not.toBe(before)

    const after = await textOf(server, `${lists.mobile}?${range}`)
    expect(details(after)).toMatchObject([
      {
        dc_transfer_reward: 5n,
        formatted_dc_transfer_reward: '0.00000005',
        offloaded_bytes: 3_579_139_413n,
      },
      { dc_transfer_reward: 1n, formatted_dc_transfer_reward: '0.00000001', offloaded_bytes: 715_827_883n },
      { amount: 123_456_789n, formatted_amount: '1.23456789' },
    ])
    expect(readExact<PageBody>(after).records.map((record) => record.reward_manifest)).toEqual(
      Array(3).fill(expect.objectContaining({ written_files: [name], price: 3n, reward_type: 'mobile' })),
    )
    // 3,579,139,413 + 715,827,883
    expect(await textOf(server, `${lists.mobile}/totals?${range}`)).toContain(
      '"total_offloaded_bytes":4294967296}',
    )
    await server.close()
  })

  it('follows the later of two manifests that name the file, in either order of ingest', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, name), frameFile(shares))
    const older = message(len(1, name), num(2, dayStart), num(3, dayEnd), len(4), num(7, 9))
    writeFileSync(join(folder, 'network_reward_manifest_v1.1738369800757.gz'), frameFile([older]))
    writeFileSync(join(folder, 'network_reward_manifest_v1.1738369800758.gz'), frameFile([manifest]))
    const lake = join(folder, 'lake')
    for (const file of [
      name,
      'network_reward_manifest_v1.1738369800758.gz',
      'network_reward_manifest_v1.1738369800757.gz',
    ]) {
      await ingestInto(lake, [join(folder, file)])
    }
    const server = await buildTestServer(lake)
    expect(await textOf(server, `${lists.mobile}?${range}`)).toContain('"formatted_amount":"1.23456789"')
    await server.close()
  })
})
