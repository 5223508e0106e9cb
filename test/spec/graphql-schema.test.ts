import { describe, expect, it } from 'vitest'
import { resources } from '../../src/catalog/resources.ts'
import { graphqlSchemaText } from '../../src/doors/graphql/schema/schema.ts'
import { nodeTypes } from '../support/node-types.ts'
import { otherTables, specifiedLists } from '../support/specified.ts'

// Typed from the specification's GraphQL chapter and the schema of the domain notes; nothing is taken from the catalog.

const paging = { first: 'Int', after: 'String', last: 'Int', before: 'String' }
const shareArguments = {
  startPeriod: 'ISO8601DateTime',
  endPeriod: 'ISO8601DateTime',
  hotspotKey: 'String',
  rewardType: 'String',
  ...paging,
}

const types: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Query: {
    status: 'String!',
    echo: 'String!',
    ...Object.fromEntries(
      [...specifiedLists, ...otherTables].map(({ query, node }) => [query, `${node}Connection!`]),
    ),
    ...Object.fromEntries(
      specifiedLists
        .filter(({ series }) => series !== undefined)
        .flatMap(({ query, node }) =>
          ['Totals', 'Series'].map((sum) => [query.replace(/s$/, sum), `${node}${sum}!`]),
        ),
    ),
    l1RewardSeries: 'L1RewardSeries!',
    search: 'Hits!',
  },
  SeriesMedian: { token: 'String!', hotspots: 'Int!', median: 'BigInt!', formattedMedian: 'String' },
  SeriesMeta: {
    interval: 'String!',
    tz: 'String!',
    groupBy: 'String',
    limit: 'Int',
    fromServed: 'ISO8601DateTime',
    hotspots: 'Int',
    medians: '[SeriesMedian!]',
    days: 'String!',
    earned: 'String!',
    owners: 'String',
    usd: 'String!',
  },
  IotRewardShareSeries: { meta: 'SeriesMeta!', rows: '[IotRewardShareSeriesRow!]!' },
  MobileRewardShareSeriesRow: {
    ...{ start: 'String', token: 'String', group: 'String', name: 'String' },
    ...{ totalDcTransferReward: 'BigInt!', formattedTotalDcTransferReward: 'String' },
    ...{ totalOffloadedBytes: 'BigInt!', totalBoostedPocReward: 'BigInt!', totalAmount: 'BigInt!' },
    ...{ earned: 'BigInt!', formattedEarned: 'String', usd: 'String' },
  },
  PageInfo: {
    hasNextPage: 'Boolean!',
    hasPreviousPage: 'Boolean!',
    startCursor: 'String',
    endCursor: 'String',
  },
  IotRewardShareConnection: {
    nodes: '[IotRewardShare]',
    edges: '[IotRewardShareEdge]',
    pageInfo: 'PageInfo!',
  },
  IotRewardShareEdge: { cursor: 'String!', node: 'IotRewardShare' },
  MobileRewardShareConnection: {
    nodes: '[MobileRewardShare]',
    edges: '[MobileRewardShareEdge]',
    pageInfo: 'PageInfo!',
  },
  MobileRewardShareEdge: { cursor: 'String!', node: 'MobileRewardShare' },
  IotWitnessIngestReportConnection: {
    nodes: '[IotWitnessIngestReport]',
    edges: '[IotWitnessIngestReportEdge]',
    pageInfo: 'PageInfo!',
  },
  RewardManifestConnection: {
    nodes: '[RewardManifest]',
    edges: '[RewardManifestEdge]',
    pageInfo: 'PageInfo!',
  },
  ...nodeTypes,
}

const ofDays = { firstDay: 'String', lastDay: 'String' }

const listArguments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  iotRewardShares: { ...shareArguments, ...ofDays },
  mobileRewardShares: { ...shareArguments, ...ofDays },
  iotWitnessIngestReports: paging,
  rewardManifests: { startTimestamp: 'ISO8601DateTime!', endTimestamp: 'ISO8601DateTime!', ...paging },
}

const divided = { interval: 'SeriesInterval', tz: 'String', limit: 'Int' }
const ofShares = { from: 'ISO8601DateTime', to: 'ISO8601DateTime', ...ofDays, rewardType: 'String' }
const ofHotspots = { owner: 'String', makerId: 'String', hotspotKeys: '[String!]', median: 'Boolean' }

const seriesArguments: typeof listArguments = {
  iotRewardShareSeries: { ...ofShares, ...divided, groupBy: 'IotRewardShareSeriesGroup', ...ofHotspots },
  mobileRewardShareSeries: {
    ...ofShares,
    ...divided,
    groupBy: 'MobileRewardShareSeriesGroup',
    ...ofHotspots,
  },
  l1RewardSeries: {
    ...{ from: 'ISO8601DateTime', to: 'ISO8601DateTime', accountAddress: 'String', gatewayAddress: 'String' },
    ...{ transactionHash: 'String', type: 'String', block: 'BigInt' },
    ...{ ...ofDays, ...divided, groupBy: 'L1RewardSeriesGroup' },
  },
}

/** The schema without its descriptions, which a reader of names and types does not need. */
const schema = graphqlSchemaText(resources).replace(/"""[\s\S]*?"""\n?/g, '')

function membersOf(text: string): Readonly<Record<string, string>> {
  const lines = text.matchAll(/^\s*(\w+)(?:\([^)]*\))?: (\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name, type]) => [name, type]))
}

describe('the GraphQL schema', () => {
  it.each(Object.entries(types))('has every field of %s with its type', (name, fields) => {
    const body = new RegExp(`^type ${name} \\{([\\s\\S]*?)^\\}`, 'm').exec(schema)?.[1] ?? ''
    expect(membersOf(body)).toMatchObject(fields)
  })

  it('has as closed sets the intervals and the groups of a series', () => {
    const valuesOf = (name: string) =>
      new RegExp(`^enum ${name} \\{([^}]*)\\}`, 'm').exec(schema)?.[1]?.trim().split(/\s+/)
    expect(valuesOf('SeriesInterval')).toEqual(['DAY', 'WEEK', 'MONTH', 'ALL'])
    const ofIot = ['REWARD_TYPE', 'TOKEN', 'HOTSPOT', 'OWNER', 'MAKER']
    expect(valuesOf('IotRewardShareSeriesGroup')).toEqual(ofIot)
    expect(valuesOf('MobileRewardShareSeriesGroup')).toEqual([...ofIot, 'SERVICE_PROVIDER'])
    expect(valuesOf('L1RewardSeriesGroup')).toEqual(['REWARD_TYPE', 'HOTSPOT', 'OWNER'])
  })

  it.each(Object.entries({ ...listArguments, ...seriesArguments }))(
    'has exactly the arguments of %s',
    (name, given) => {
      const body = new RegExp(`^ *${name}\\(([^)]*)\\)`, 'm').exec(schema)?.[1] ?? ''
      expect(membersOf(body)).toEqual(given)
    },
  )

  it('has no other query, and no mutation', () => {
    const body = /^type Query \{([\s\S]*?)^\}/m.exec(schema)?.[1] ?? ''
    expect(Object.keys(membersOf(body)).sort()).toEqual(Object.keys(types.Query ?? {}).sort())
    expect(schema).not.toMatch(/^type (Mutation|Subscription)/m)
  })

  it('gives echo no argument but message', () => {
    expect(schema).toContain('echo(message: String!): String!')
  })
})
