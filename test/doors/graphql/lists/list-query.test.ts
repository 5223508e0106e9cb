import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { resources } from '../../../../src/catalog/resources.ts'
import { openDocuments } from '../../../../src/doors/graphql/lists/documents.ts'
import { listQueryOf } from '../../../../src/doors/graphql/lists/list-query.ts'
import { graphqlSchemaOf } from '../../../../src/doors/graphql/schema/schema.ts'
import { smallLake } from '../../../support/lakes/small-lake.ts'
import { askRaw } from '../../../support/servers/ask-raw.ts'
import { buildTestServer } from '../../../support/servers/build-test-server.ts'

const schema = graphqlSchemaOf(resources)

describe('listQueryOf', () => {
  const planOf = (text: string) => listQueryOf(schema, parse(text), text)

  it.each([
    '{ hotspots { nodes { id key: name __typename } __typename } }',
    '{ a: hotspots(first: 3, owner: null) { pageInfo { endCursor } } makers(after: "") { edges { cursor node { id } } } }',
    'query Named($n: Int = 3) { hotspots(first: $n) { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }',
  ])('plans lists of plain values: %s', (text) => {
    expect(planOf(text)?.lists.length).toBeGreaterThan(0)
  })

  it.each([
    '{ hotspots { nodes { id } } status }',
    '{ hotspots { nodes { id } } ... on Query { status } }',
    '{ hotspots @skip(if: false) { nodes { id } } }',
    'query @colour { hotspots { nodes { id } } }',
    'mutation { hotspots { nodes { id } } }',
    '{ hotspots { nodes { id } } } query Other { status }',
    '{ hotspots { nodes { id id } } }',
    '{ hotspots { nodes } }',
    '{ hotspots { nodes { id { id } } } }',
    '{ hotspots { nodes { id(first: 2) } } }',
    '{ hotspots { pageInfo { colour } } }',
    '{ hotspots { edges { cursor { id } } } }',
    '{ iotRewardShares { nodes { rewardManifest { id } } } }',
  ])('returns undefined for anything else: %s', (text) => {
    expect(planOf(text)).toBeUndefined()
  })

  it.each(['colour: 1', 'first: 2, first: 3', 'first: "2"', 'first: 3000000000', 'first: $n', 'owner: 5'])(
    'returns undefined for arguments that validation refuses: (%s)',
    (given) => {
      expect(planOf(`{ hotspots(${given}) { nodes { id } } }`)).toBeUndefined()
    },
  )

  const numbered = (count: number, text: string) =>
    Array.from({ length: count }, (_, at) => text.replace('#', String(at))).join(' ')

  it.each([
    ['aliases', 30, (count: number) => `{ hotspots { nodes { ${numbered(count, 'a#: id')} } } }`],
    ['lists in one turn', 4, (count: number) => `{ ${numbered(count, 'l#: hotspots { nodes { id } }')} }`],
    ['values', 200, fieldsOf],
  ])('returns undefined for a query beyond the limit of %s', (_name, most, textOf) => {
    expect(planOf(textOf(most))).toBeDefined()
    expect(planOf(textOf(most + 1))).toBeUndefined()
  })
})

/** A query of one list that selects so many fields, with few aliases. */
function fieldsOf(count: number): string {
  const names =
    'id hotspotKey amount beaconAmount witnessAmount dcTransferAmount startPeriod endPeriod rewardType'.split(
      ' ',
    )
  const parts: string[] = []
  for (let left = count - 1, at = 0; left > 0; at += 1) {
    const selected = names.slice(0, left - 1)
    parts.push(`n${at}: nodes { ${selected.join(' ')} }`)
    left -= selected.length + 1
  }
  return `{ iotRewardShares { ${parts.join(' ')} } }`
}

describe('documents', () => {
  it('plan a text once, and validate it if it has variables', () => {
    const documents = openDocuments(schema)
    const text = 'query ($n: Int) { hotspots(first: $n) { nodes { id } } }'
    const query = documents.listQuery(text, undefined)
    expect(query).toBeDefined()
    expect(documents.listQuery(text, undefined)).toBe(query)
    expect(documents.parsed(text)).toBe(documents.parsed(text))
    expect(documents.listQuery(text.replace('$n: Int', '$n: Int, $o: Int'), undefined)).toBeUndefined()
    expect(documents.listQuery(text.replace('$n: Int', '$n: String'), undefined)).toBeUndefined()
  })

  it('plan only the operation that is chosen', () => {
    const documents = openDocuments(schema)
    const text = 'query Named { hotspots { nodes { id } } }'
    expect(documents.listQuery(text, 'Named')).toBeDefined()
    expect(documents.listQuery(text, 'Other')).toBeUndefined()
  })
})

it('an empty list that indexes can answer tells its unknown values', async () => {
  const { server } = await buildTestServer(await smallLake('with all indexes'))
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const query = '{ iotRewardShares(hotspotKey: "nobody") { nodes { id } } }'
  const { body } = await askRaw(address, 'GET', `/graphql?${new URLSearchParams({ query })}`)
  expect(body).toContain('"unknown":[{"path":"iotRewardShares","argument":"hotspotKey","values":["nobody"]}]')
  const posted = await askRaw(address, 'POST', '/graphql', JSON.stringify({ query }))
  expect(posted.body).toBe(body)
})
