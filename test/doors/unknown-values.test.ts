import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { type McpClient, mcpOver } from '../support/servers/mcp-client.ts'
import { scaled } from '../support/tier.ts'
import { exportFile } from './one-answer/doors.ts'
import { type Kind, type Protocol, protocols } from './one-answer/protocols.ts'
import { malformedValues, mustBeTold, type UnknownValue, unknownValues } from './one-answer/unknown-values.ts'

let lake: string
let test: TestServer
let mcp: McpClient

beforeAll(async () => {
  lake = await smallLake()
  test = await buildTestServer(lake)
  mcp = await mcpOver(test.server)
})

/** In one word what a reply says; the reply itself if it has rows, or is an error of another kind. */
function wordFor(text: string, isRefused: boolean, isEmpty: boolean, isTold: boolean): string {
  if (isRefused) return / use (?:one of|an?) /.test(text) ? 'refused' : text
  if (!isEmpty) return `rows: ${text.slice(0, 300)}`
  return isTold ? 'told' : 'empty'
}

/** What each door says to a value, by the name of the door. */
async function wordsFor(value: UnknownValue): Promise<Readonly<Record<string, string>>> {
  const { resource, given, filter } = value
  const served = { server: test, mcp, headers: {} }
  const words: Record<string, string> = {}
  async function ask(door: string, { ask: askAt }: Protocol, kind: Kind, more = {}): Promise<void> {
    const { text, isRefused, records, unknown } = await askAt(served, kind, resource, given, more)
    const isEmpty = records.every((record) => kind === 'totals' && Object.values(record).every(isZero))
    words[door] = wordFor(text, isRefused, isEmpty, unknown.includes(filter))
  }
  const { rest, graphql } = protocols
  await ask('GraphQL list', graphql, 'list')
  if (resource.rest === undefined) return words
  await ask('REST list', rest, 'list')
  await ask('MCP list', protocols.mcp, 'list')
  await ask('REST csv', rest, 'list', { format: 'csv' })
  for (const kind of ['totals', 'series'] as const)
    if ((kind === 'totals' ? resource.totals : resource.series) !== undefined)
      for (const protocol of Object.values(protocols)) await ask(`${protocol.name} ${kind}`, protocol, kind)
  if (scaled(unknownValues.indexOf(value) % 8 === 0 || filter === 'location_hex', true)) {
    const { code, stdout, stderr } = await exportFile({ lake, folder: lake }, resource, given, 'csv')
    const isTold = stderr.includes('Nothing has the')
    words.export = wordFor(
      code === 0 ? stdout : stderr,
      code !== 0 && !isTold,
      stdout.startsWith('0 rows') || isTold,
      isTold,
    )
  }
  return words
}

const isZero = (value: unknown) => String(value) === '0'

describe('a value that no row has', () => {
  const tried = scaled(
    unknownValues.filter((_, place) => place % 6 === 3),
    unknownValues,
  )
  it.each(tried.map((value) => [`${value.resource.name} ${value.filter}`, value.treatment, value] as const))(
    'of %s returns %s at every door',
    async (_, treatment, value) => {
      const words = await wordsFor(value)
      // Lists of GraphQL refuse no names, as their clients have always been answered, and tell them instead.
      const expected = Object.keys(words).map((door) => [
        door,
        door === 'GraphQL list' && treatment === 'refused' ? 'told' : treatment,
      ])
      expect(words).toEqual(Object.fromEntries(expected))
      if (mustBeTold(value)) expect(treatment).toBe('told')
    },
  )

  it('is tested for every filter of every list', () => {
    expect(unknownValues.length).toBeGreaterThan(40)
    expect(new Set(unknownValues.map(({ treatment }) => treatment))).toEqual(
      new Set(['told', 'refused', 'empty']),
    )
  })
})

describe('a value in a wrong format', () => {
  const tried = scaled(
    malformedValues.filter(({ filter }, place) => place % 6 === 2 || filter === 'location_hex'),
    malformedValues,
  )
  it.each(tried.map((value) => [`${value.resource.name} ${value.filter}`, value] as const))(
    'of %s is refused at every door',
    async (_, value) => {
      const words = await wordsFor(value)
      expect(words).toEqual(Object.fromEntries(Object.keys(words).map((door) => [door, 'refused'])))
    },
  )
})
