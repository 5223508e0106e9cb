import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSample, sampleFolder } from '../../scripts/make-sample.ts'
import { parquetTypeOf } from '../../scripts/reference/resources-page.ts'
import { iotRewardTypes } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardTypes } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { networkOfName } from '../../src/catalog/networks.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { resources } from '../../src/catalog/resources.ts'
import { artifactKinds, listArtifacts } from '../../src/write/ingest/files/artifact.ts'
import type { IngestSummary } from '../../src/write/ingest/ingest-counts.ts'
import { members } from '../../src/write/sample/hotspots.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { filledLists, otherTables } from '../support/specified.ts'
import { addedFiles, locationOf, readMetadata } from '../support/tables/delta-table.ts'
import { readTable } from '../support/tables/read-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MOST_BYTES = 120_000

const resourcesPage = readFileSync(new URL('../../docs/reference/resources.md', import.meta.url), 'utf8')

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()

const contentOf = (path: string) =>
  path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)

describe('data/sample', () => {
  it('equals the output of npm run sample', async () => {
    const folder = await temporaryFolder()
    await makeSample(folder)
    expect(filesOf(sampleFolder)).toEqual(filesOf(folder))
    for (const name of filesOf(folder)) {
      const [kept, made] = [sampleFolder, folder].map((own) => contentOf(join(own, name)))
      expect(kept?.equals(made as Buffer), name).toBe(true)
    }
  })

  it('is small', () => {
    const bytes = filesOf(sampleFolder).map((name) => statSync(join(sampleFolder, name)).size)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
  })

  it('has every kind of file that can be ingested, for each of its networks', async () => {
    const { artifacts } = await listArtifacts([sampleFolder], artifactKinds)
    const kinds = artifactKinds.filter((kind) => (networkOfName(kind) ?? 'iot') in members)
    expect(new Set(artifacts.map(({ kind }) => kind))).toEqual(new Set(kinds))
  })
})

describe('a lake of data/sample', () => {
  let lake: string
  let summary: IngestSummary

  beforeAll(async () => {
    lake = await temporaryFolder()
    summary = await ingestInto(lake, [sampleFolder])
  })

  const valuesOf = async (table: string, column: string) =>
    new Set((await readTable(lake, table)).map((row) => row[column]))

  it('holds every file and refused nothing', () => {
    const files = filesOf(sampleFolder).length
    expect(summary).toMatchObject({ read: files, stored: files, skipped: 0, refusedRows: 0 })
    expect([...summary.failed, ...summary.unknown]).toEqual([])
  })

  it('has every type of reward, both tokens of both networks and periods of two months', async () => {
    expect(await valuesOf('iot_reward_shares', 'reward_type')).toEqual(new Set(iotRewardTypes))
    expect(await valuesOf('mobile_reward_shares', 'reward_type')).toEqual(new Set(mobileRewardTypes))
    expect((await valuesOf('reward_manifests', 'token')).size).toBe(4)
    const months = addedFiles(join(lake, 'iot_reward_shares')).map((file) => file.partitionValues.month)
    expect(new Set(months)).toEqual(new Set(['2025-01', '2025-02']))
  })

  const filled = [...filledLists, ...otherTables].map(({ table }) => table)
  it.each(
    resources
      .filter(({ name }) => filled.includes(name))
      .map((resource) => [resource.name, resource] as const),
  )('has files of %s with the Parquet types of the reference', async (name, resource) => {
    const table = join(lake, name)
    const documented = Object.entries(resource.columns).map(([column, { kind }]) => [
      column,
      parquetTypeOf(kind),
    ])
    for (const file of addedFiles(table)) {
      expect(await parquetTypes(locationOf(table, file), resource)).toEqual(documented)
    }
  })

  it('gives replies with exactly the members of the reference', async () => {
    const server = await buildTestServer(lake)
    for (const { name, rest, filters = {}, variants, embeds = {} } of resources) {
      if (rest === undefined || !filled.includes(name)) continue
      const range = 'from' in filters ? 'from=2000-01-01&to=2100-01-01&' : ''
      const { text } = await server.get(`${rest.path}?${range}per_page=100`)
      const { meta, [rest.envelope]: records } = JSON.parse(text)
      expect(Object.keys(meta)).toEqual(documentedMembers('## Replies'))
      expect(records.length, name).toBeGreaterThan(0)
      const documented = documentedMembers(`### Record of ${name}`)
      for (const record of records) {
        expect(membersOf(record, documented)).toEqual(documented)
        if (variants !== undefined) {
          const { [variants.on]: variant, [variants.as]: detail } = record
          expect(Object.keys(detail)).toEqual(
            documentedMembers(`### Record of ${name}`, `of \`${variant}\`:`),
          )
        }
        for (const [member, what] of Object.entries(embeds)) expectEmbedded(record[member], `${what}s`)
      }
    }
    await server.close()
  })
})

type Members = Readonly<Record<string, object | null>>

/** Names of members, those of objects as `iot_info.location` where the reference names them so. */
function membersOf(record: Members, documented: readonly string[]): readonly string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const isNested = documented.some((other) => other.startsWith(`${name}.`))
    return isNested ? Object.keys(value ?? {}).map((own) => `${name}.${own}`) : [name]
  })
}

/** The embedded record of another table; a maker may be unknown. */
function expectEmbedded(embedded: Members | null, what: string): void {
  if (embedded === null) {
    expect(what).toBe('makers')
    return
  }
  const section = `### Record of ${what === 'manifests' ? 'reward_manifests' : what}`
  expect(Object.keys(embedded)).toEqual(documentedMembers(section))
  if (what === 'manifests')
    expect(Object.keys(embedded.reward_detail ?? {})).toEqual(
      documentedMembers(section, `of \`${embedded.reward_type}\`:`),
    )
}

/** The Parquet type of each column of a file, in the words of the reference. */
async function parquetTypes(path: string, resource: Resource): Promise<readonly (readonly string[])[]> {
  const { schema } = await readMetadata(path)
  return Object.keys(resource.columns).map((column) => {
    const at = schema.findIndex(({ name }) => name === column)
    const [element, , item] = schema.slice(at, at + 3)
    return [column, element?.converted_type === 'LIST' ? `LIST of ${wordsOf(item)}` : wordsOf(element)]
  })
}

function wordsOf(element: SchemaElement | undefined): string {
  const { type, type_length, converted_type, logical_type, precision, scale } = element ?? { type: 'none' }
  const words: Readonly<Record<string, string>> = {
    UTF8: ' UTF8',
    DECIMAL: ` DECIMAL(${precision}, ${scale})`,
    TIMESTAMP_MICROS: ` TIMESTAMP(MICROS, ${isUtc(logical_type) ? 'UTC' : 'local'})`,
    INT_32: '',
    INT_64: '',
  }
  const length = type === 'FIXED_LEN_BYTE_ARRAY' ? `(${type_length})` : ''
  return `${type}${length}${converted_type === undefined ? '' : (words[converted_type] ?? ` ${converted_type}`)}`
}

function isUtc(type: SchemaElement['logical_type']): boolean {
  return type?.type === 'TIMESTAMP' && type.isAdjustedToUTC
}

/** First cells of the first table below a line of the reference. */
function documentedMembers(...lines: readonly string[]): readonly string[] {
  const below = lines.reduce(
    (text, line) => text.slice(text.indexOf(`${line}\n`) + line.length),
    resourcesPage,
  )
  const table = below.slice(below.indexOf('\n| ')).trimStart().split('\n\n')[0] ?? ''
  return table.split('\n').flatMap((row) => /^\| `([\w.]+)` \|/.exec(row)?.[1] ?? [])
}
