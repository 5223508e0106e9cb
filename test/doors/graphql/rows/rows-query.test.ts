import { GraphQLNonNull, GraphQLObjectType, GraphQLString, Kind, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../src/answers/records/entry.ts'
import { resources } from '../../../../src/catalog/resources.ts'
import { nodeWriter, UnwritableRows, writeRows } from '../../../../src/doors/graphql/rows/row-writer.ts'
import { isRowsQuery } from '../../../../src/doors/graphql/rows/rows-query.ts'
import { graphqlSchemaOf } from '../../../../src/doors/graphql/schema/schema.ts'

describe('isRowsQuery', () => {
  const schema = graphqlSchemaOf(resources)

  it.each([
    'hotspots { nodes { id name } }',
    'hotspots { nodes { __typename } }',
    'query Named($n: Int) { hotspots(first: $n) { nodes { key: id } pageInfo { endCursor } edges { cursor } } status }',
  ])('is true for plain values: %s', (text) => {
    expect(isRowsQuery(schema, parse(text.startsWith('query') ? text : `{ ${text} }`))).toBe(true)
  })

  it.each([
    'hotspots { edges { node { id } } }',
    'hotspots { nodes { id @skip(if: false) } }',
    'hotspots { nodes @include(if: true) { id } }',
    'hotspots { nodes { id id } }',
    'hotspots { nodes { id } nodes { name } }',
    'hotspots { nodes { ... on Hotspot { id } } }',
    'hotspots { nodes { id } } __schema { queryType { name } }',
    'iotRewardShares { nodes { rewardManifest { id } } }',
    'a: hotspots { nodes { id } } a: hotspots { nodes { id } }',
    'status',
  ])('is false for anything else: %s', (text) => {
    expect(isRowsQuery(schema, parse(`{ ${text} }`))).toBe(false)
  })
})

describe('writeRows', () => {
  const node = new GraphQLObjectType<{ readonly id: string | null }>({
    name: 'Row',
    fields: {
      id: { type: new GraphQLNonNull(GraphQLString), resolve: ({ id }) => id },
      maybe: { type: GraphQLString, resolve: ({ id }) => id },
    },
  })
  const selected = (names: string) => {
    const [operation] = parse(`{ nodes { ${names} } }`).definitions
    const field = operation?.kind === Kind.OPERATION_DEFINITION && operation.selectionSet.selections[0]
    if (!field || field.kind !== Kind.FIELD) throw new Error('the query has no field')
    return field
  }
  const write = (ids: readonly (string | null)[], names: string) =>
    writeRows(
      ids.map((id) => ({ id })) as unknown as readonly Entry[],
      nodeWriter(selected(names), node) ?? expect.fail(),
    )

  it('writes the selected values of each row in their order', () => {
    expect(write(['a', '"'], 'maybe key: id')).toBe('[{"maybe":"a","key":"a"},{"maybe":"\\"","key":"\\""}]')
    expect(write([], 'id')).toBe('[]')
    expect(write([null], 'maybe')).toBe('[{"maybe":null}]')
  })

  it('throws UnwritableRows for null in place of a required value', () => {
    expect(() => write(['a', null], 'id')).toThrow(UnwritableRows)
  })
})
