import { GraphQLClient } from 'graphql-request'
import { beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../support/engines.ts'
import { Fraction, readExact } from '../../support/exact-json.ts'
import { readExpected } from '../../support/fixtures.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { fixtureSources } from '../../support/messages/oracle-rows.ts'
import { iotVariants, type Fields as Members, mobileVariants } from '../../support/messages/share-variants.ts'
import { nodeTypes } from '../../support/node-types.ts'
import { askConnection, type Connection } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'
import type { ExactRow, ExactValue } from '../../support/tables/delta-table.ts'
import { scaled } from '../../support/tier.ts'

type Show = (value: ExactValue | undefined) => unknown

const text: Show = (value) => value ?? null
const bigInt: Show = (value) => (value === undefined || value === null ? null : String(value))
const instant: Show = (value) => (value === undefined || value === null ? null : isoOf(value as bigint))
const binary: Show = (value) =>
  typeof value === 'string' ? Buffer.from(value, 'hex').toString('base64') : null
const float: Show = (value) =>
  typeof value !== 'string' ? null : value.includes('.') ? new Fraction(value) : BigInt(value)

const shows: Readonly<Record<string, Show>> = {
  ...{ String: text, '[String!]': text, BigInt: bigInt, ISO8601DateTime: instant },
  ...{ Binary: binary, Float: float },
}

type Fields = Readonly<Record<string, readonly [column: string, show: Show]>>

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Fields of a node but its id, with their columns. */
function fieldsOf(node: string): Fields {
  const types = Object.entries(nodeTypes[node] ?? {}).filter(([name]) => name !== 'id')
  return Object.fromEntries(
    some(types).map(([name, type]) => [name, [snake(name), shows[type] as Show] as const]),
  )
}

const [iotFields, mobileFields] = [fieldsOf('IotRewardShare'), fieldsOf('MobileRewardShare')]

interface List {
  readonly query: string
  readonly given: string
  readonly table: string
  readonly fields: Fields
  readonly order: readonly string[]
  readonly rows: number
}

const { counts } = readExpected()
const shareOrder = ['end_period', 'reward_type', 'source_file', 'hotspot_key', 'ordinal']
const lists: readonly List[] = [
  {
    query: 'iotRewardShares',
    given: '',
    table: 'iot_reward_shares',
    fields: iotFields,
    order: shareOrder,
    rows: counts.iot ?? 0,
  },
  {
    query: 'mobileRewardShares',
    given: '',
    table: 'mobile_reward_shares',
    fields: mobileFields,
    order: shareOrder,
    rows: counts.mobile ?? 0,
  },
  {
    query: 'iotWitnessIngestReports',
    given: '',
    table: 'iot_witness_ingest_reports',
    fields: fieldsOf('IotWitnessIngestReport'),
    order: ['-received_at', 'source_file', 'ordinal'],
    rows: counts.witness ?? 0,
  },
  {
    query: 'rewardManifests',
    given: 'startTimestamp: "2000-01-01", endTimestamp: "2100-01-01", ',
    table: 'reward_manifests',
    fields: fieldsOf('RewardManifest'),
    order: ['end_timestamp', 'source_file', 'reward_type', 'ordinal'],
    rows: counts.manifests ?? 0,
  },
]

function isoOf(micros: bigint): string {
  const [seconds, rest] = [micros / 1_000_000n, micros % 1_000_000n]
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return rest === 0n ? `${whole}Z` : `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}Z`
}

/** All rows that the files hold, in the order of the list, as the fields have them. */
function expectedNodes({ table, fields, order }: List): readonly Readonly<Record<string, unknown>>[] {
  const rows = fixtureSources()
    .filter((source) => source.table === table)
    .flatMap((source) => source.rows)
  return [...rows]
    .sort(comparing(order))
    .map((row) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, [column, show]]) => [
          name,
          show(row[`${column}_exact`] ?? row[column]),
        ]),
      ),
    )
}

function comparing(order: readonly string[]): (a: ExactRow, b: ExactRow) => number {
  return (a, b) => {
    for (const step of order) {
      const column = step.replace('-', '')
      const [first, second] = step.startsWith('-') ? [b[column], a[column]] : [a[column], b[column]]
      if (first === second) continue
      if (first === undefined || first === null) return -1
      if (second === undefined || second === null) return 1
      return first < second ? -1 : 1
    }
    return 0
  }
}

describe.each(engines.slice(0, scaled(1, 2)))('the small network over GraphQL from %s', (_, around) => {
  let server: TestServer

  beforeAll(async () => {
    server = await buildTestServer(await smallLake(), undefined, around)
  })

  it.each(lists)('$query gives every row by cursors, value by value, forward', async (list) => {
    const expected = expectedNodes(list)
    expect(expected).toHaveLength(list.rows)
    const nodes: unknown[] = []
    const names = Object.keys(list.fields).join(' ')
    for (let after: string | null = ''; after !== null; ) {
      const call = `${list.query}(${list.given}first: ${scaled(97, 37)}, after: "${after}")`
      const page: Connection = await askConnection(server.server, call, names)
      expect(page.edges.map((edge) => edge.node)).toEqual(page.nodes)
      expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor ?? null)
      expect(page.pageInfo.hasPreviousPage).toBe(after !== '')
      nodes.push(...page.nodes)
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    }
    expect(nodes).toEqual(expected)
  })

  it.each(lists)('$query gives every row by cursors, backward', async (list) => {
    const expected = expectedNodes(list)
    const nodes: unknown[] = []
    const names = Object.keys(list.fields).join(' ')
    for (let before: string | null = ''; before !== null; ) {
      const call = `${list.query}(${list.given}last: ${scaled(91, 41)}, before: "${before}")`
      const page: Connection = await askConnection(server.server, call, names)
      expect(page.pageInfo.hasNextPage).toBe(before !== '')
      nodes.unshift(...page.nodes)
      before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null
    }
    expect(nodes).toEqual(expected)
  })

  it.each([
    ['iotRewardShares', '/l2/iot-reward-shares', iotFields],
    ['mobileRewardShares', '/l2/mobile-reward-shares', mobileFields],
  ] as const)(
    '%s agrees with the REST pages, including ids, details and manifests',
    async (query, path, fields) => {
      const details = detailFragments[query]
      const selected = `id ${Object.keys(fields).join(' ')} ${details} ${manifestSelection}`
      let after = ''
      for (let page = 1; ; page += 1) {
        const { text } = await server.get(`${path}?from=2000-01-01&to=2100-01-01&per_page=50&page=${page}`)
        const rest = readExact<{ meta: { next_page: bigint | null }; records: Record<string, unknown>[] }>(
          text,
        )
        const { nodes, pageInfo } = await askConnection(
          server.server,
          `${query}(first: 50, after: "${after}")`,
          selected,
        )
        expect(nodes.map(asRecord)).toEqual(rest.records.map(snakeCase))
        expect(pageInfo.hasNextPage).toBe(rest.meta.next_page !== null)
        if (!pageInfo.hasNextPage) break
        after = pageInfo.endCursor ?? ''
      }
    },
  )

  it('gives the same to a GraphQL client library and to a plain fetch', async () => {
    const address = await server.server.listen({ host: '127.0.0.1', port: 0 })
    const url = `${address}/graphql`
    const query = `query Page($first: Int!, $after: String) {
      mobileRewardShares(first: $first, after: $after) { nodes { ...Share } pageInfo { hasNextPage endCursor } }
    }
    fragment Share on MobileRewardShare { hotspotKey rewardType dcTransferReward endPeriod }`
    const client = new GraphQLClient(url)
    interface Page {
      readonly mobileRewardShares: {
        readonly nodes: readonly object[]
        readonly pageInfo: { hasNextPage: boolean; endCursor: string }
      }
    }
    const byLibrary: object[] = []
    const byFetch: object[] = []
    for (let after: string | null = null; ; ) {
      const page: Page = await client.request<Page>(query, { first: 60, after })
      byLibrary.push(...page.mobileRewardShares.nodes)
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables: { first: 60, after } }),
      })
      byFetch.push(...((await reply.json()) as { data: Page }).data.mobileRewardShares.nodes)
      if (!page.mobileRewardShares.pageInfo.hasNextPage) break
      after = page.mobileRewardShares.pageInfo.endCursor
    }
    expect(byLibrary).toHaveLength(counts.mobile ?? -1)
    expect(byFetch).toEqual(byLibrary)
  })
})

const manifestSelection = `rewardManifest { id writtenFiles startTimestamp endTimestamp epoch price rewardData {
  __typename
  ... on RewardManifestIotData { rewardType pocBonesPerBeaconRewardShare pocBonesPerWitnessRewardShare dcBonesPerShare dcBonesPerShareExact token }
  ... on RewardManifestMobileData { rewardType pocBonesPerRewardShare pocBonesPerRewardShareExact
    boostedPocBonesPerRewardShare boostedPocBonesPerRewardShareExact
    serviceProviderPromotions { serviceProvider incentiveEscrowFundBps promotions { entity startTs endTs shares } } token }
} }`

// Aliases, since GraphQL lets no field be of two types under one name.
const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

function detailOf(network: string, variants: Readonly<Record<string, Members>>): string {
  const fragments = Object.entries(variants).map(([name, members]) => {
    const type = `${network}${camel(`_${name}`)}Detail`
    return `... on ${type} { ${Object.keys(members).map(camel).join(' ')} }`
  })
  return `rewardDetail { ${fragments.join(' ')} }`
}

const detailFragments = {
  iotRewardShares: detailOf('Iot', iotVariants),
  mobileRewardShares: detailOf('Mobile', mobileVariants),
}

/** A node with the names and the nesting of a REST record; the flat fields are checked elsewhere. */
function asRecord(node: Readonly<Record<string, unknown>>): unknown {
  const { id, rewardType, startPeriod, endPeriod, rewardDetail, rewardManifest } = node
  const { rewardData, ...manifest } = rewardManifest as Record<string, unknown>
  const { __typename: _, rewardType: network, ...data } = rewardData as Record<string, unknown>
  return {
    id,
    reward_type: rewardType,
    start_period: startPeriod,
    end_period: endPeriod,
    reward_manifest: {
      ...(snakeCase(manifest) as object),
      reward_type: network,
      reward_detail: snakeCase(data),
    },
    reward_detail: snakeCase(rewardDetail),
  }
}

/** Names as REST has them, and integers as GraphQL has them: as text. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase)
  if (typeof value !== 'object' || value === null || value instanceof Fraction) {
    return typeof value === 'bigint' ? String(value) : value
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(member),
    ]),
  )
}
