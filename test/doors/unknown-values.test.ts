import { beforeAll, describe, expect, it } from 'vitest'
import { withGraphql } from '../../src/doors/graphql/schema/graphql-face.ts'
import { camelCase, sumsFieldName } from '../../src/doors/graphql/schema/graphql-fields.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import {
  malformedValues,
  mustBeTold,
  type UnknownValue,
  unknownValues,
} from '../support/doors/unknown-values.ts'
import { type McpClient, mcpOver } from '../support/mcp-client.ts'
import { runMain } from '../support/run-main.ts'
import { smallLake } from '../support/small-lake.ts'
import { scaled } from '../support/tier.ts'

let lake: string
let test: TestServer
let mcp: McpClient

beforeAll(async () => {
  lake = await smallLake()
  test = await buildTestServer(lake)
  mcp = await mcpOver(test.server)
})

/** In one word what a reply says; the reply itself where it has rows, or is an error of another kind. */
function wordFor(text: string, isRefused: boolean, isEmpty: boolean, isTold: boolean): string {
  if (isRefused) return / use (?:one of|an?) /.test(text) ? 'refused' : text
  if (!isEmpty) return `rows: ${text.slice(0, 300)}`
  return isTold ? 'told' : 'empty'
}

const isNothing = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length === 0
    : Object.values(value ?? {}).every((sum) => sum === '0' || sum === 0)

async function askRest({ resource: { rest }, given, filter }: UnknownValue, path: string, more = {}) {
  const { status, text, headers } = await test.get(
    `${rest?.path}${path}?${new URLSearchParams({ ...given, ...more })}`,
  )
  if (status !== 200 && status !== 422) return `${status} ${text}`
  const isTold = String(headers['ledgerlake-unknown'] ?? '').includes(`${filter}=1`)
  const { meta: _, ...body } = status === 200 && text.startsWith('{') ? JSON.parse(text) : {}
  const [list] = Object.values(body).filter(Array.isArray)
  const isEmpty = text.startsWith('{') ? isNothing(list ?? body) : text.trimEnd().split('\n').length === 1
  return wordFor(text, status === 422, isEmpty, isTold)
}

async function askGraphql({ filter }: UnknownValue, call: string, argument: string) {
  const { body, statusCode } = await test.server.inject({
    method: 'POST',
    url: '/graphql',
    payload: { query: `{ asked: ${call} }` },
  })
  const { data, errors, extensions } = JSON.parse(body)
  if (statusCode >= 500) return body
  const told = (extensions?.unknown ?? []).map((one: { argument: string }) => one.argument)
  const { nodes, rows, ...sums } = data?.asked ?? {}
  return wordFor(
    body,
    errors !== undefined,
    isNothing(nodes ?? rows ?? sums),
    told.includes(argument) || told.includes(camelCase(filter)),
  )
}

const written = (given: Readonly<Record<string, string>>) =>
  Object.entries(given)
    .map(([name, text]) => `${name}: ${JSON.stringify(text)}`)
    .join(', ')

async function askTool({ resource, given, filter }: UnknownValue, tool: string) {
  const { isError, text } = await mcp.call(tool, { resource: resource.name, ...given })
  const { unknown, answer } = JSON.parse(text)
  const { meta, ...members } = answer ?? {}
  const [list] = Object.values(members).filter(Array.isArray)
  return wordFor(text, isError, isNothing(list ?? members), filter in { ...unknown, ...meta?.unknown })
}

async function askExport({ resource, given }: UnknownValue) {
  const flags = Object.entries(given).flatMap(([name, text]) => [`--${name.replaceAll('_', '-')}`, text])
  const file = `${lake}/none.csv`
  const { code, stdout, stderr } = await runMain([
    'export',
    resource.name,
    '--out',
    file,
    '--force',
    '--lake',
    lake,
    ...flags,
  ])
  if (code === 0) return stdout.startsWith('0 rows') ? 'empty' : stdout
  return stderr.includes('Nothing has the') ? 'told' : wordFor(stderr, true, true, false)
}

/** What each door says to a value, by the name of the door. */
async function wordsFor(value: UnknownValue): Promise<Readonly<Record<string, string>>> {
  const { resource, given, filter } = value
  const { rest, series, totals = {} } = resource
  const words: Record<string, string> = {}
  const { graphql } = withGraphql(resource) ?? {}
  const named = Object.entries(graphql?.arguments ?? {})
  const nameOf = (param: string) => named.find(([, own]) => own.filter === param)?.[0]
  const renamed = Object.entries(given).flatMap(([param, text]) => [[nameOf(param) ?? '', text]])
  const list = `${graphql?.query}(first: 5, ${written(Object.fromEntries(renamed))}) { nodes { id } }`
  words['GraphQL list'] = await askGraphql(value, list, nameOf(filter) ?? filter)
  if (rest === undefined) return words
  words['REST page'] = await askRest(value, '')
  words['REST csv'] = await askRest(value, '', { format: 'csv' })
  words['MCP list'] = await askTool(value, 'list')
  if (scaled(unknownValues.indexOf(value) % 8 === 0 || filter === 'location_hex', true))
    words.export = await askExport(value)
  const inCamelCase = Object.fromEntries(Object.entries(given).map(([name, text]) => [camelCase(name), text]))
  if (rest.totals !== undefined) {
    words['REST totals'] = await askRest(value, '/totals')
    words['MCP totals'] = await askTool(value, 'totals')
    const call = `${sumsFieldName(resource, 'totals')}(${written(inCamelCase)}) { ${Object.keys(totals).map(camelCase).join(' ')} }`
    words['GraphQL totals'] = await askGraphql(value, call, camelCase(filter))
  }
  if (series !== undefined) {
    words['REST series'] = await askRest(value, series.path)
    words['MCP series'] = await askTool(value, 'series')
    const call = `${sumsFieldName(resource, 'series')}(${written(inCamelCase)}) { rows { earned } }`.replace(
      /hotspotKey: ("[^"]*")/,
      'hotspotKeys: [$1]',
    )
    words['GraphQL series'] = await askGraphql(
      value,
      call,
      call.includes('hotspotKeys') ? 'hotspotKey' : camelCase(filter),
    )
  }
  return words
}

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
