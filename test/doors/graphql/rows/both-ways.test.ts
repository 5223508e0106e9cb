import fc from 'fast-check'
import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isLeafType,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { beforeAll, expect, it } from 'vitest'
import { resources } from '../../../../src/catalog/resources.ts'
import { listQueryOf } from '../../../../src/doors/graphql/lists/list-query.ts'
import { isRowsQuery } from '../../../../src/doors/graphql/rows/rows-query.ts'
import { graphqlSchemaOf } from '../../../../src/doors/graphql/schema/schema.ts'
import { smallLake } from '../../../support/lakes/small-lake.ts'
import { askRaw } from '../../../support/servers/ask-raw.ts'
import { buildTestServer, type TestServer } from '../../../support/servers/build-test-server.ts'
import { scaled } from '../../../support/tier.ts'

/**
 * Lists of plain values are written as text, by GET even before the request is routed. An inline fragment around the whole query means
 * the same and has no such way, so graphql executes it: all responses must have equal bytes.
 */

const schema = graphqlSchemaOf(resources)
const queryFields = schema.getQueryType()?.getFields() ?? {}
/** Connections and the types of their rows. */
const connections = Object.values(queryFields).flatMap(({ name, type }) => {
  const connection = getNamedType(type)
  const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined
  const row = nodes && getNamedType(nodes.type)
  return isObjectType(row) ? [{ name, row }] : []
})

let test: TestServer
let address: string
let routed = 0
/** Cursors of a few rows by list. */
const cursors = new Map<string, readonly string[]>()
beforeAll(async () => {
  test = await buildTestServer(await smallLake('with all indexes'))
  test.server.addHook('onRequest', async () => {
    routed += 1
  })
  address = await test.server.listen({ host: '127.0.0.1', port: 0 })
  for (const { name } of connections) {
    const given = ranged.has(name) ? `(${range})` : ''
    const { body } = await post(`{ ${name}${given} { edges { cursor } } }`, {})
    cursors.set(
      name,
      [...body.matchAll(/"cursor":"([^"]+)"/g)].map(([, cursor = '']) => cursor),
    )
  }
})

const leafNames = (row: GraphQLObjectType) =>
  Object.values(row.getFields())
    .filter(({ type }) => isLeafType(getNullableType(type)))
    .map(({ name }) => name)

/** A few fields of a row: mostly plain, some with an alias or a directive, a nested object, or an error. */
function rowSelection(row: GraphQLObjectType): fc.Arbitrary<string> {
  const leaves = fc.constantFrom(...leafNames(row))
  const field = fc.oneof(
    { weight: 60, arbitrary: leaves },
    { weight: 8, arbitrary: fc.tuple(fc.constantFrom('a', 'b', 'c'), leaves).map(([a, b]) => `${a}: ${b}`) },
    { weight: 2, arbitrary: leaves.map((name) => `${name} @include(if: true)`) },
    { weight: 4, arbitrary: fc.constant('__typename') },
    { weight: 1, arbitrary: fc.constantFrom('colour', 'id(x: 1)', 'id { id }', 'rewardManifest') },
  )
  return fc.uniqueArray(field, { minLength: 1, maxLength: 6 }).map((fields) => fields.join(' '))
}

const range = 'startPeriod: "2025-01-01", endPeriod: "2026-01-01"'
const ranged = new Set(['iotRewardShares', 'mobileRewardShares'])

const nat = fc.integer({ min: 0, max: 6 })
/** Paging arguments; CURSOR is one of the list. Some are not valid. */
const paging = fc.oneof(
  { weight: 8, arbitrary: nat.map((count) => `first: ${count}`) },
  { weight: 4, arbitrary: nat.map((count) => `last: ${count}`) },
  { weight: 8, arbitrary: nat.map((count) => `first: ${count}, after: "CURSOR"`) },
  { weight: 2, arbitrary: nat.map((count) => `last: ${count}, before: "CURSOR", first: 9`) },
  { weight: 4, arbitrary: fc.constantFrom('first: $n', 'first: $n, after: $a', 'last: $n') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['first: 101', 'first: -1', 'first: 2, after: "none"', 'first: null', 'after: ""'],
      ...['first: 2, first: 3', 'first: "2"', 'first: 3000000000', 'colour: 1', 'last: $other', 'first: [1]'],
    ),
  },
)

const pageInfo = fc
  .subarray(['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor', '__typename', 'e: endCursor'], {
    minLength: 1,
  })
  .map((fields) => `pageInfo { ${fields.join(' ')} }`)

/** The fields of a connection. */
function connectionSelection(row: GraphQLObjectType): fc.Arbitrary<string> {
  const rows = rowSelection(row)
  const part = fc.oneof(
    { weight: 12, arbitrary: rows.map((fields) => `nodes { ${fields} }`) },
    { weight: 4, arbitrary: rows.map((fields) => `edges { cursor node { ${fields} } }`) },
    { weight: 6, arbitrary: pageInfo },
    { weight: 1, arbitrary: fc.constantFrom('__typename', 'edges { cursor }', 'n: nodes { id }') },
    { weight: 1, arbitrary: fc.constantFrom('edges', 'colour { id }', 'nodes', 'pageInfo { id }') },
  )
  return fc.uniqueArray(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))
}

const list = fc.constantFrom(...connections).chain(({ name, row }) =>
  fc
    .record({
      alias: fc.constantFrom('', '', 'x: ', 'y: '),
      paging,
      cursor: fc.nat(),
      fields: connectionSelection(row),
    })
    .map(({ alias, paging, cursor, fields }) => ({
      text: `${alias}${name}(${ranged.has(name) ? `${range}, ` : ''}${paging}) { ${fields} }`,
      ...{ name, cursor },
    })),
)

const document = fc.record({
  lists: fc.array(list, { minLength: 1, maxLength: 2 }),
  more: fc.constantFrom('', '', '', '', '', ' status'),
  n: fc.oneof({ weight: 6, arbitrary: nat }, { weight: 1, arbitrary: fc.constantFrom(101, null, '2', -1) }),
})
type Drawn = typeof document extends fc.Arbitrary<infer T> ? T : never

/** Returns the query, the same within a fragment, and the variables. */
function queryOf({ lists, more, n }: Drawn) {
  const cursorOf = ({ name, cursor }: { name: string; cursor: number }) => {
    const ofList = cursors.get(name) ?? []
    return ofList[cursor % ofList.length] ?? ''
  }
  const body = lists.map((one) => one.text.replace('CURSOR', cursorOf(one))).join(' ') + more
  const declared = [
    ...(body.includes('$n') ? ['$n: Int'] : []),
    ...(body.includes('$a') ? ['$a: String'] : []),
  ]
  const open = declared.length > 0 ? `query Drawn(${declared.join(', ')}) ` : ''
  const [a] = lists.map(cursorOf)
  return {
    plain: `${open}{ ${body} }`,
    wrapped: `${open}{ ... on Query { ${body} } }`,
    variables: declared.length > 0 ? { n, a } : {},
  }
}

const withoutLocations = (status: number, body: string) => ({
  status,
  body: body.replace(/"locations":\[.*?\]/g, ''),
})

async function post(query: string, variables: object) {
  const { statusCode, body } = await test.server.inject({
    ...{ method: 'POST', url: '/graphql', payload: { query, variables } },
  })
  return withoutLocations(statusCode, body)
}

async function get(query: string, variables: object) {
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) })
  const { status, body } = await askRaw(address, 'GET', `/graphql?${parameters}`)
  return withoutLocations(status, body)
}

it('drawn documents have equal responses with rows as text and by resolvers', async () => {
  let [direct, asText, byResolvers, failed] = [0, 0, 0, 0]
  await fc.assert(
    fc.asyncProperty(document, async (drawn) => {
      const { plain, wrapped, variables } = queryOf(drawn)
      const expected = await post(wrapped, variables)
      const before = routed
      expect([plain, await get(plain, variables)]).toEqual([plain, expected])
      const isDirect = routed === before
      expect(await post(plain, variables)).toEqual(expected)
      if (expected.body.includes('"errors"')) failed += 1
      else if (isDirect) direct += 1
      else if (isRowsQuery(schema, parse(plain))) asText += 1
      else byResolvers += 1
      if (isDirect) expect(expected.body).not.toContain('"errors"')
      expect(isRowsQuery(schema, parse(wrapped))).toBe(false)
    }),
    { numRuns: scaled(600, 5000), seed: 19 },
  )
  expect(direct).toBeGreaterThan(scaled(60, 600))
  expect(Math.min(asText, byResolvers, failed)).toBeGreaterThan(scaled(20, 200))
})

it('a document without variables that is planned as lists is valid for graphql', () => {
  let planned = 0
  fc.assert(
    fc.property(document, (drawn) => {
      const { plain } = queryOf(drawn)
      if (plain.includes('$')) return
      const parsed = parse(plain)
      if (listQueryOf(schema, parsed, plain) === undefined) return
      planned += 1
      expect([plain, validate(schema, parsed)]).toEqual([plain, []])
    }),
    { numRuns: scaled(1000, 10_000), seed: 20 },
  )
  expect(planned).toBeGreaterThan(scaled(200, 2000))
})
