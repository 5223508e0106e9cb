import fc from 'fast-check'
import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isLeafType,
  isObjectType,
  parse,
} from 'graphql'
import { beforeAll, expect, it } from 'vitest'
import { resources } from '../../../../src/catalog/resources.ts'
import { isRowsQuery } from '../../../../src/doors/graphql/rows/rows-query.ts'
import { graphqlSchemaOf } from '../../../../src/doors/graphql/schema/schema.ts'
import { smallLake } from '../../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../../support/servers/build-test-server.ts'
import { scaled } from '../../../support/tier.ts'

/**
 * Rows of plain values are written as text. An inline fragment around the same fields means the same and has no such way, so graphql
 * executes it: both responses must have equal bytes.
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
beforeAll(async () => {
  test = await buildTestServer(await smallLake('with all indexes'))
})

const leafNames = (row: GraphQLObjectType) =>
  Object.values(row.getFields())
    .filter(({ type }) => isLeafType(getNullableType(type)))
    .map(({ name }) => name)

/** A few fields of a row: mostly plain, some with an alias or a directive, or a nested object. */
function selection(row: GraphQLObjectType): fc.Arbitrary<string> {
  const leaves = fc.constantFrom(...leafNames(row))
  const field = fc.oneof(
    { weight: 8, arbitrary: leaves },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('a', 'b', 'c'), leaves).map(([a, b]) => `${a}: ${b}`) },
    { weight: 1, arbitrary: leaves.map((name) => `${name} @include(if: true)`) },
    { weight: 1, arbitrary: fc.constant('__typename') },
  )
  return fc.array(field, { minLength: 1, maxLength: 6 }).map((fields) => fields.join(' '))
}

interface Drawn {
  readonly plain: string
  readonly fragments: string
}

const range = 'startPeriod: "2025-01-01", endPeriod: "2026-01-01"'
const ranged = new Set(['iotRewardShares', 'mobileRewardShares'])
const wrapped = (row: GraphQLObjectType, fields: string) => `... on ${row.name} { ${fields} }`

const list = fc.constantFrom(...connections).chain(({ name, row }) =>
  fc
    .record({
      alias: fc.constantFrom('', '', 'x: ', 'y: '),
      paging: fc.oneof(
        fc.nat(5).map((count) => `first: ${count}`),
        fc.nat(5).map((count) => `last: ${count}`),
        fc.constantFrom('first: 101', 'first: -1', 'first: 2, after: "none"'),
      ),
      fields: selection(row),
      rest: fc.constantFrom(
        '',
        '',
        'pageInfo { hasNextPage endCursor }',
        'edges { cursor node { id } }',
        'nodes { id }',
      ),
    })
    .map(({ alias, paging, fields, rest }): Drawn => {
      const open = `${alias}${name}(${ranged.has(name) ? `${range}, ` : ''}${paging}) {`
      return {
        plain: `${open} nodes { ${fields} } ${rest} }`,
        fragments: `${open} nodes { ${wrapped(row, fields)} } ${rest} }`,
      }
    }),
)

const query = fc.array(list, { minLength: 1, maxLength: 2 }).map((lists) => ({
  plain: `{ ${lists.map(({ plain }) => plain).join(' ')} }`,
  fragments: `{ ${lists.map(({ fragments }) => fragments).join(' ')} }`,
}))

async function ask(text: string) {
  const { statusCode, body } = await test.server.inject({
    ...{ method: 'POST', url: '/graphql', payload: { query: text } },
  })
  return { statusCode, body: body.replace(/"locations":\[.*?\]/g, '') }
}

it('drawn documents have equal responses with rows as text and by resolvers', async () => {
  let [asText, byResolvers, failed] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(query, async ({ plain, fragments }) => {
      const reply = await ask(plain)
      expect(reply).toEqual(await ask(fragments))
      if (reply.body.includes('"errors"')) failed += 1
      else if (isRowsQuery(schema, parse(plain))) asText += 1
      else byResolvers += 1
      expect(isRowsQuery(schema, parse(fragments))).toBe(false)
    }),
    { numRuns: scaled(250, 5000), seed: 19 },
  )
  expect(Math.min(asText, byResolvers, failed)).toBeGreaterThan(scaled(12, 250))
})
