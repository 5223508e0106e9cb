import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'lossless-json'
import { beforeAll, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../src/catalog/l2/iot-witness-ingest-reports.ts'
import { writeStats } from '../../src/lake/snapshot/file-stats.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { craftArtifact, encoders, oneDay } from '../support/messages/craft-artifacts.ts'
import { frameFile } from '../support/messages/oracle-messages.ts'
import { fixtureSources } from '../support/messages/oracle-rows.ts'
import { some } from '../support/some.ts'
import {
  addedFiles,
  type ExactRow,
  type ExactValue,
  type LoggedFile,
  locationOf,
  readEntries,
  readExactRows,
} from '../support/tables/delta-table.ts'
import { factsOf } from '../support/tables/file-facts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const LAST_CHARACTER = '\u{10ffff}'
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

/** Table -> entries that its log must have when every artifact is a commit of its own. */
const commits = {
  iot_reward_shares: 4,
  mobile_reward_shares: 4,
  reward_manifests: 8,
  iot_witness_ingest_reports: 4,
}
type Table = keyof typeof commits
const tables = Object.keys(commits) as Table[]

const amount = 'decimal(20,0)'
const decimal = 'decimal(38,18)'
const written_files = { type: 'array', elementType: 'string', containsNull: false }

/** Columns of one type that follow each other. */
const run = (type: unknown, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, type])) as Readonly<Record<string, unknown>>
const withExact = (...names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => [[name, decimal] as const, [`${name}_exact`, 'string'] as const]),
  )
const origin = { source_file: 'string', ordinal: 'long' }
const share = {
  ...{ ...origin, reward_type: 'string' },
  ...{ ...run('timestamp', 'start_period end_period'), hotspot_key: 'string' },
}

/** Columns in their order with the types of the Delta protocol, the partition column last. */
const deltaTypes: Readonly<Record<Table, Readonly<Record<string, unknown>>>> = {
  iot_reward_shares: {
    ...share,
    ...run(amount, 'beacon_amount witness_amount dc_transfer_amount amount'),
    ...run('string', 'unallocated_reward_type month'),
  },
  mobile_reward_shares: {
    ...{ ...share, cbsd_id: 'string' },
    ...{ ...run(amount, 'dc_transfer_reward poc_reward'), coverage_points: 'long' },
    ...{ ...run(amount, 'rewardable_bytes price'), subscriber_id: 'string' },
    ...run(amount, 'discovery_location_amount subscriber_reward'),
    ...run('string', 'reward_override_entity_key service_provider_id rewardable_entity_key'),
    ...{ unallocated_reward_type: 'string', amount },
    ...withExact('base_coverage_points_sum', 'boosted_coverage_points_sum'),
    ...withExact('base_reward_shares', 'boosted_reward_shares'),
    ...run(amount, 'base_poc_reward boosted_poc_reward'),
    ...{ seniority_timestamp: 'timestamp', coverage_object: 'binary' },
    ...withExact('location_trust_score_multiplier', 'speedtest_multiplier'),
    ...run('string', 'sp_boosted_hex_status oracle_boosted_hex_status entity'),
    ...{ ...run(amount, 'service_provider_amount matched_amount'), month: 'string' },
  },
  reward_manifests: {
    ...{ ...origin, written_files, ...run('timestamp', 'start_timestamp end_timestamp') },
    ...{ epoch: 'long', price: amount, ...run('string', 'reward_type token') },
    ...withExact('poc_bones_per_beacon_reward_share', 'poc_bones_per_witness_reward_share'),
    ...withExact('dc_bones_per_share', 'poc_bones_per_reward_share', 'boosted_poc_bones_per_reward_share'),
    ...run('string', 'service_provider_promotions month'),
  },
  iot_witness_ingest_reports: {
    ...{ ...origin, received_at: 'timestamp', hotspot_key: 'string', data: 'binary' },
    ...{ reported_at: 'timestamp', ...run('long', 'reported_ns tmst'), ...run('integer', 'signal snr') },
    ...{ frequency: 'long', data_rate: 'string', signature: 'binary', month: 'string' },
  },
}

/** Columns whose bounds would help nobody skip a file. */
const boundless = ['data', 'signature', 'coverage_object', 'written_files', 'service_provider_promotions']

/** The column that the month is taken from. */
const timeOf: Readonly<Record<Table, string>> = {
  iot_reward_shares: 'end_period',
  mobile_reward_shares: 'end_period',
  reward_manifests: 'end_timestamp',
  iot_witness_ingest_reports: 'received_at',
}

interface SchemaField {
  readonly name: string
  readonly type: unknown
  readonly nullable: boolean
  readonly metadata: object
}

function readSchema(table: string): readonly SchemaField[] {
  const metaData = readEntries(table)[0]?.actions.find((action) => action.metaData)?.metaData
  const schema = JSON.parse(String(metaData?.schemaString)) as {
    type: string
    fields: readonly SchemaField[]
  }
  expect(schema.type).toBe('struct')
  return schema.fields
}

/** Bare numbers of a statistics text stay the digits that they are. */
class Bare {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

interface Stats {
  readonly numRecords: Bare
  readonly minValues: Readonly<Record<string, Bare | string>>
  readonly maxValues: Readonly<Record<string, Bare | string>>
  readonly nullCount: Readonly<Record<string, Bare>>
}

function readStats(file: LoggedFile): Stats {
  return parse(file.stats, undefined, (digits) => new Bare(digits)) as Stats
}

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Decimals of one sign as integers of 18 more digits. */
function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

/** How a bound stands in the statistics: texts cut to 32 characters, instants cut to milliseconds. */
function writtenBound(type: unknown, value: ExactValue, raised: boolean): Bare | string {
  if (type === 'timestamp') {
    const micros = value as bigint
    const millis = raised && micros % 1000n > 0n ? micros / 1000n + 1n : micros / 1000n
    return new Date(Number(millis)).toISOString().replace(/\.?0*Z$/, 'Z')
  }
  if (type === 'string') {
    const text = value as string
    if ([...text].length <= 32) return text
    return [...text].slice(0, 32).join('') + (raised ? LAST_CHARACTER : '')
  }
  return new Bare(String(value))
}

function compareValues(type: unknown, a: ExactValue, b: ExactValue): number {
  if (typeof a === 'bigint') return a < (b as bigint) ? -1 : a > (b as bigint) ? 1 : 0
  if (String(type).startsWith('decimal')) return Number(scaled(a as string) - scaled(b as string))
  return compareBytes(a as string, b as string)
}

/** The statistics that a file with these rows must have. */
function statsOf(rows: readonly ExactRow[], types: Readonly<Record<string, unknown>>): Stats {
  const columns = Object.keys(types).filter((name) => name !== 'month')
  const present = (name: string) => rows.map((row) => row[name] ?? null).filter((value) => value !== null)
  const bounds = (raised: boolean) =>
    Object.fromEntries(
      columns
        .filter((name) => !boundless.includes(name) && present(name).length > 0)
        .map((name) => {
          const sorted = present(name).sort((a, b) => compareValues(types[name], a, b))
          return [name, writtenBound(types[name], (raised ? sorted.at(-1) : sorted[0]) ?? null, raised)]
        }),
    )
  return {
    numRecords: new Bare(String(rows.length)),
    minValues: bounds(false),
    maxValues: bounds(true),
    nullCount: Object.fromEntries(
      columns.map((name) => [name, new Bare(String(rows.length - present(name).length))]),
    ),
  }
}

/** The one source that a file of this lake holds, as its tags tell. */
function taggedSource(table: string, file: LoggedFile): Record<string, unknown> {
  const sources: readonly Record<string, unknown>[] = factsOf(table, file).sources
  expect(sources).toHaveLength(1)
  return sources[0] ?? {}
}

describe('a lake of one commit per artifact', () => {
  let lake: string
  const started = Date.now()

  beforeAll(async () => {
    lake = await temporaryFolder()
    await ingestInto(lake, [smallNetwork], { commitRows: 1 })
  })

  describe.each(tables)('%s', (name) => {
    const types = deltaTypes[name]
    const table = () => join(lake, name)

    it('names its entries by version in 20 digits, from 0 without a gap, and has no other file in the log', () => {
      const expected = Array.from(
        { length: commits[name] },
        (_, version) => `0000000000000000000${version}.json`,
      )
      expect(readdirSync(join(table(), '_delta_log')).sort()).toEqual(expected)
    })

    it('has one action a line, each with one member, the description of the commit first', () => {
      for (const { text, actions, version } of readEntries(table())) {
        expect(text.endsWith('}\n')).toBe(true)
        expect(text.split('\n')).toHaveLength(actions.length + 1)
        const kinds = actions.map((action) => Object.keys(action).join())
        expect(kinds).toEqual(['commitInfo', ...(version === 0 ? ['protocol', 'metaData'] : []), 'add'])
      }
    })

    it('names in each entry its time, its operation, its run, and the digest of the entry', () => {
      for (const { actions, text, version } of readEntries(table())) {
        const commitInfo = actions[0]?.commitInfo ?? {}
        const added = actions.at(-1)?.add as unknown as LoggedFile
        expect(commitInfo).toEqual({
          timestamp: expect.any(Number),
          operation: 'WRITE',
          operationParameters: { command: 'INGEST', mode: 'Append', partitionBy: '["month"]' },
          ...(version > 0 && { readVersion: version - 1 }),
          isBlindAppend: true,
          operationMetrics: {
            numFiles: '1',
            numOutputRows: readStats(added).numRecords.digits,
            numOutputBytes: String(added.size),
            numRemovedFiles: '0',
            numRemovedBytes: '0',
          },
          runId: expect.stringMatching(/^[0-9a-f]{12}-\d+-[0-9a-f]{12}-[0-9a-f-]{36}$/),
          engineInfo: 'ledgerlake',
          boot: expect.stringMatching(/^[0-9a-f]{12}$/),
          sinceBoot: expect.any(Number),
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        })
        expect(commitInfo.timestamp).toBeGreaterThanOrEqual(started)
        expect(commitInfo.timestamp).toBeLessThanOrEqual(Date.now())
        const digest = String(commitInfo.digest)
        expect(text.split(digest)).toHaveLength(2)
        expect(sha256(text.replace(digest, '0'.repeat(64)))).toBe(digest)
      }
    })

    it('requires reader version 1 and writer features, in its first entry only', () => {
      const protocols = readEntries(table()).flatMap(({ actions }) =>
        actions.map((action) => action.protocol),
      )
      expect(protocols.filter((protocol) => protocol !== undefined)).toEqual([
        {
          minReaderVersion: 1,
          minWriterVersion: 7,
          writerFeatures: ['appendOnly', 'invariants', 'ledgerlakeTags'],
        },
      ])
    })

    it('describes itself in its first entry', () => {
      const metaData = readEntries(table())[0]?.actions[2]?.metaData
      expect(metaData).toEqual({
        id: expect.stringMatching(UUID),
        name,
        description: expect.stringMatching(/^[A-Z].+\.$/),
        format: { provider: 'parquet', options: {} },
        schemaString: expect.any(String),
        partitionColumns: ['month'],
        configuration: {
          'delta.deletedFileRetentionDuration': 'interval 168 hours',
          'delta.checkpointInterval': '10',
          'ledgerlake.format': '3',
        },
        createdTime: expect.any(Number),
      })
      expect(metaData?.createdTime).toBeGreaterThanOrEqual(started)
    })

    it('declares every column with its type', () => {
      const fields = readSchema(table())
      expect(fields.map((field) => [field.name, field.type])).toEqual(Object.entries(types))
      expect(new Set(fields.map((field) => field.name.toLowerCase())).size).toBe(fields.length)
      for (const field of fields) {
        expect(Object.keys(field)).toEqual(['name', 'type', 'nullable', 'metadata'])
        expect(field.metadata).toEqual({ comment: expect.stringMatching(/\S/) })
      }
    })

    it('has no null in a column that it declares to have none', () => {
      const required = readSchema(table()).filter((field) => !field.nullable && field.name !== 'month')
      expect(required.length).toBeGreaterThan(2)
      for (const file of addedFiles(table())) {
        const { nullCount } = readStats(file)
        for (const field of required) expect(nullCount[field.name]).toEqual(new Bare('0'))
      }
    })

    it('adds files by a relative, encoded path with its month, its size and its time', () => {
      const files = addedFiles(table())
      expect(new Set(files.map((file) => file.path)).size).toBe(commits[name])
      for (const file of files) {
        expect(Object.keys(file)).toEqual([
          'path',
          'partitionValues',
          'size',
          'modificationTime',
          'dataChange',
          'stats',
          'tags',
        ])
        const month = file.partitionValues.month ?? ''
        expect(file.partitionValues).toEqual({ month: expect.stringMatching(/^2025-0[12]$/) })
        expect(file.path).toMatch(/^month=2025-0[12]\/part-[0-9a-f-]{36}\.parquet$/)
        expect(file.path.startsWith(`month=${month}/`)).toBe(true)
        expect(encodeURI(decodeURIComponent(file.path))).toBe(file.path)
        const there = statSync(locationOf(table(), file))
        expect(file.size).toBe(there.size)
        expect(file.modificationTime).toBe(Math.floor(there.mtimeMs))
        expect(file.dataChange).toBe(true)
      }
    })

    it('has the rows of a month in the files of that month', async () => {
      for (const file of addedFiles(table())) {
        const rows = await readExactRows(locationOf(table(), file))
        const months = rows.map((row) =>
          new Date(Number((row[timeOf[name]] as bigint) / 1000n)).toISOString().slice(0, 7),
        )
        expect([...new Set(months)]).toEqual([file.partitionValues.month])
      }
    })

    it('has for each file the number of rows, their bounds and their nulls', async () => {
      for (const file of addedFiles(table())) {
        const rows = await readExactRows(locationOf(table(), file))
        expect(readStats(file)).toEqual(statsOf(rows, types))
      }
    })

    it('tags each file with its digest and with its source', () => {
      const sources = fixtureSources().filter((source) => source.table === name)
      const tagged = addedFiles(table()).map((file) => {
        expect(Object.keys(file.tags).sort()).toEqual(['ledgerlake.facts', 'ledgerlake.sha256'])
        expect(factsOf(table(), file).chunks).toHaveLength(name.endsWith('reward_shares') ? 1 : 0)
        expect(file.tags['ledgerlake.sha256']).toBe(sha256(readFileSync(locationOf(table(), file))))
        return taggedSource(table(), file)
      })
      const kindOf: Readonly<Record<Table, (path: string) => string>> = {
        iot_reward_shares: () => 'iot_reward_share',
        mobile_reward_shares: () => 'mobile_reward_share',
        reward_manifests: (path) => `${path.includes('mobile') ? 'mobile' : 'iot'}_reward_manifest`,
        iot_witness_ingest_reports: () => 'iot_witness_ingest_report',
      }
      const byDigest = (a: { sha256?: unknown }, b: { sha256?: unknown }) =>
        String(a.sha256) < String(b.sha256) ? -1 : 1
      const expected = sources.map((source) => ({
        kind: kindOf[name](source.path),
        name: source.name,
        sha256: sha256(readFileSync(source.path)),
        rows: source.rows.length,
        refused: 0,
        groups: expect.any(Array),
      }))
      expect(tagged.sort(byDigest)).toEqual(expected.sort(byDigest))
    })
  })

  it.each(['iot_reward_shares', 'mobile_reward_shares'] as const)(
    '%s: tags carry the rows and the exact sum of every amount for each period and reward type',
    (name) => {
      const amounts = Object.keys(deltaTypes[name]).filter(
        (column) => deltaTypes[name][column] === 'decimal(20,0)',
      )
      const sources = fixtureSources().filter((source) => source.table === name)
      for (const file of addedFiles(join(lake, name))) {
        const tagged = taggedSource(join(lake, name), file)
        const rows = sources.find((source) => source.name === tagged.name)?.rows ?? []
        const types = [...new Set(rows.map((row) => row.reward_type))]
        const groups = types.map((type) => {
          const own = rows.filter((row) => row.reward_type === type)
          const present = amounts.filter((column) => column in (own[0] ?? {}))
          const sums = present.map((column) => [
            column,
            own.reduce((sum, row) => sum + (row[column] as bigint), 0n).toString(),
          ])
          const end = new Date(Number((own[0]?.end_period as bigint) / 1000n)).toISOString()
          return [end.replace('.000Z', 'Z'), type, own.length, Object.fromEntries(sums)]
        })
        expect(groups.length).toBeGreaterThan(2)
        expect(new Set(tagged.groups as unknown[])).toEqual(new Set(groups))
      }
    },
  )

  it('without reward periods the tags carry no sums', () => {
    for (const name of ['reward_manifests', 'iot_witness_ingest_reports']) {
      for (const file of some(addedFiles(join(lake, name))))
        expect(taggedSource(join(lake, name), file).groups).toEqual([])
    }
  })
})

describe('statistics of unusual rows', () => {
  async function lakeOf(make: (folder: string) => string): Promise<string> {
    const [lake, input] = [await temporaryFolder(), await temporaryFolder()]
    const summary = await ingestInto(lake, [make(input)])
    expect(summary).toMatchObject({ stored: 1, failed: [] })
    return lake
  }

  it('raises the maximum of an instant between two milliseconds and lowers the minimum', async () => {
    const report = { received_at: 1_736_989_237_233_000n, hotspot_key: Buffer.of(1, 2, 3) }
    const lake = await lakeOf((folder) =>
      craftArtifact(folder, 'iot_witness_ingest_report', 1736989300000, [
        { ...report, reported_ns: 1_736_989_236_123_456_789n },
        { ...report, reported_ns: 1_736_989_236_123_000_999n },
        { ...report, reported_ns: 1_736_989_236_999_999_999n },
      ]),
    )
    const [file] = addedFiles(join(lake, 'iot_witness_ingest_reports'))
    const { minValues, maxValues } = readStats(file as LoggedFile)
    expect(minValues.reported_at).toBe('2025-01-16T01:00:36.123Z')
    expect(maxValues.reported_at).toBe('2025-01-16T01:00:37Z')
    expect(minValues.received_at).toBe('2025-01-16T01:00:37.233Z')
    expect(maxValues.received_at).toBe('2025-01-16T01:00:37.233Z')
    expect(minValues.reported_ns).toEqual(new Bare('1736989236123000999'))
    expect(maxValues.reported_ns).toEqual(new Bare('1736989236999999999'))
  })

  it('never raises a minimum of an instant before 1970', () => {
    const facts = (least: bigint, most: bigint) => ({
      rows: 2,
      sources: [],
      columns: { received_at: { nulls: 0, least, most } },
      chunks: [],
    })
    const stats = JSON.parse(writeStats(iotWitnessIngestReports, facts(-1_500n, -1_499n))) as Stats
    expect(stats.minValues.received_at).toBe('1969-12-31T23:59:59.998Z')
    expect(stats.maxValues.received_at).toBe('1969-12-31T23:59:59.999Z')
  })

  it('never cuts a maximum within a run of the last character, which cannot be raised', () => {
    const last = '\u{10ffff}'
    const statsOf = (most: string) => {
      const columns = { hotspot_key: { nulls: 0, least: most, most } }
      return JSON.parse(writeStats(iotRewardShares, { rows: 1, sources: [], columns, chunks: [] })) as Stats
    }
    const [run, after] = [last.repeat(40), `${last.repeat(40)}ab`]
    expect(statsOf(run)).toMatchObject({
      minValues: { hotspot_key: last.repeat(32) },
      maxValues: { hotspot_key: run },
    })
    expect(statsOf(after).maxValues.hotspot_key).toBe(`${last.repeat(41)}`)
  })

  it('keeps the whole range of unsigned 64-bit amounts', async () => {
    const lake = await lakeOf((folder) =>
      craftArtifact(folder, 'iot_reward_share', 1738110600000, [
        { ...oneDay, reward_type: 'operational_reward', amount: 18_446_744_073_709_551_615n },
        { ...oneDay, reward_type: 'operational_reward', amount: 18_446_744_073_709_551_615n },
        { ...oneDay, reward_type: 'operational_reward', amount: 9_007_199_254_740_993n },
      ]),
    )
    const [file] = addedFiles(join(lake, 'iot_reward_shares')) as [LoggedFile]
    const { minValues, maxValues } = readStats(file)
    expect(minValues.amount).toEqual(new Bare('9007199254740993'))
    expect(maxValues.amount).toEqual(new Bare('18446744073709551615'))
    const [group] = taggedSource(join(lake, 'iot_reward_shares'), file).groups as unknown[]
    expect(group).toEqual([
      '2025-01-29T00:00:00Z',
      'operational_reward',
      3,
      { amount: '36902495346673844223' },
    ])
  })

  it('keeps 18 digits after the point of a decimal', async () => {
    const row = { ...oneDay, reward_type: 'radio_reward_v2', hotspot_key: Buffer.of(1) }
    const lake = await lakeOf((folder) =>
      craftArtifact(folder, 'mobile_reward_share', 1738110600000, [
        { ...row, base_reward_shares: '12345678901234567890.000000000000000001' },
        { ...row, base_reward_shares: '0.000000000000000001' },
      ]),
    )
    const [file] = addedFiles(join(lake, 'mobile_reward_shares')) as [LoggedFile]
    const { minValues, maxValues } = readStats(file)
    expect(minValues.base_reward_shares).toEqual(new Bare('0.000000000000000001'))
    expect(maxValues.base_reward_shares).toEqual(new Bare('12345678901234567890.000000000000000001'))
  })

  it.each([
    ['of 33 characters', 'a'.repeat(33)],
    ['of exactly 32 characters', 'a'.repeat(32)],
    ['of characters beyond 16 bits', '\u{1f600}'.repeat(40)],
    ['that goes on with the last character there is', `${'a'.repeat(32)}${LAST_CHARACTER.repeat(2)}b`],
    ['of quotes and backslashes', '"\\'.repeat(20)],
    ['with line ends', 'a\nb\r\n\u2028'.repeat(10)],
  ])('has bounds around a text %s', async (_, entity) => {
    const lake = await lakeOf((folder) =>
      craftArtifact(folder, 'mobile_reward_share', 1738110600000, [
        { ...oneDay, reward_type: 'promotion_reward', entity },
      ]),
    )
    const table = join(lake, 'mobile_reward_shares')
    const [file] = addedFiles(table) as [LoggedFile]
    const { minValues, maxValues } = readStats(file)
    expect(compareBytes(String(minValues.entity), entity)).toBeLessThanOrEqual(0)
    expect(compareBytes(entity, String(maxValues.entity))).toBeLessThanOrEqual(0)
    expect(Buffer.from(String(minValues.entity)).toString()).toBe(minValues.entity)
    expect((await readExactRows(locationOf(table, file)))[0]?.entity).toBe(entity)
  })

  it('adds a source without rows as a file of no rows', async () => {
    const lake = await lakeOf((folder) => craftArtifact(folder, 'iot_reward_share', 1738110600000, []))
    const table = join(lake, iotRewardShares.name)
    const [file] = addedFiles(table) as [LoggedFile]
    expect(readStats(file)).toEqual(statsOf([], deltaTypes.iot_reward_shares))
    expect(file.partitionValues).toEqual({ month: '2025-01' })
    expect(await readExactRows(locationOf(table, file))).toEqual([])
    expect(taggedSource(table, file)).toMatchObject({
      name: 'iot_reward_share.1738110600000.gz',
      rows: 0,
      groups: [],
    })
  })

  it('stores a table without partitions at the top of its folder', async () => {
    const unknownReward = Buffer.from('0898f5d19e06109898d79e064a020805', 'hex')
    const known = encoders.iot_reward_share({ ...oneDay, reward_type: 'operational_reward', amount: 5n })
    const lake = await lakeOf((folder) => {
      const path = join(folder, 'iot_reward_share.1738110600000.gz')
      writeFileSync(path, frameFile([known, unknownReward]))
      return path
    })
    const table = join(lake, 'rejects')
    expect(existsSync(table)).toBe(true)
    const metaData = readEntries(table)[0]?.actions[2]?.metaData
    expect(metaData?.partitionColumns).toEqual([])
    expect(readSchema(table).map((field) => [field.name, field.type])).toEqual([
      ['source_kind', 'string'],
      ['source_file', 'string'],
      ['ordinal', 'long'],
      ['reason', 'string'],
      ['message', 'binary'],
    ])
    const [file] = addedFiles(table) as [LoggedFile]
    expect(file.partitionValues).toEqual({})
    expect(file.path).toMatch(/^part-[0-9a-f-]{36}\.parquet$/)
    expect(await readExactRows(locationOf(table, file))).toEqual([
      {
        source_kind: 'iot_reward_share',
        source_file: 'iot_reward_share.1738110600000.gz',
        ordinal: 1n,
        reason: expect.stringContaining('field 9'),
        message: unknownReward.toString('hex'),
      },
    ])
    const [shares] = addedFiles(join(lake, 'iot_reward_shares')) as [LoggedFile]
    expect(taggedSource(join(lake, 'iot_reward_shares'), shares)).toMatchObject({ rows: 1, refused: 1 })
  })
})
