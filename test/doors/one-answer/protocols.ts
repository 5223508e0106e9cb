import { camelCase } from '../../../src/base/values/camel-case.ts'
import type { Member, Members, Nested } from '../../../src/catalog/members.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { withGraphql } from '../../../src/doors/graphql/schema/graphql-face.ts'
import { sumsFieldName } from '../../../src/doors/graphql/schema/graphql-fields.ts'
import { readExact } from '../../support/exact-json.ts'
import { readers } from '../../support/export/read-files.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import type { DoorWorld } from './world.ts'

/** A JSON object with exact integers. */
export type Json = Readonly<Record<string, unknown>>
type Texts = Readonly<Record<string, string>>
/** Where a record has the value of each column: one name, or two of an object in it. */
export type Paths = ReadonlyMap<string, readonly string[]>
type Served = Pick<DoorWorld, 'server' | 'headers' | 'mcp'>

/** A page of records, the one record of totals, or an error. */
interface Reply {
  readonly text: string
  readonly isRefused: boolean
  readonly records: readonly Json[]
  /** Parameters of REST with a value that no row has. */
  readonly unknown: readonly string[]
  /** Parameters of the next page. */
  readonly next: Json | undefined
}

export const kinds = ['list', 'totals', 'series'] as const
export type Kind = (typeof kinds)[number]

export interface Protocol {
  readonly name: string
  /** Asks with parameters as REST names them. */
  ask(served: Served, kind: Kind, resource: Resource, given: Texts, more?: Json): Promise<Reply>
  /** Of the records of a list. */
  paths(resource: Resource): Paths
}

/** All records, page by page. Errors: Error for a refusal. */
export async function askAll(
  protocol: Protocol,
  served: Served,
  kind: Kind,
  resource: Resource,
  given: Texts,
) {
  const records: Json[] = []
  for (let next: Json | undefined = {}; next !== undefined; ) {
    const reply: Reply = await protocol.ask(served, kind, resource, given, next)
    if (reply.isRefused) throw new Error(`${protocol.name} ${kind} ${JSON.stringify(given)}: ${reply.text}`)
    records.push(...reply.records)
    next = reply.next
  }
  return records
}

interface Meta {
  readonly next_page?: bigint | null
  readonly pagination?: { readonly next_page: bigint | null }
  readonly unknown?: Json
}

/** A list with `format` is a file. */
const rest: Protocol = {
  name: 'REST',
  async ask({ server, headers }, kind, resource, given, more = {}) {
    const path = { list: '', totals: '/totals', series: resource.series?.path }[kind]
    const format = 'format' in more ? String(more.format) : undefined
    const usual = {
      list: format === undefined ? { per_page: '100' } : {},
      totals: {},
      series: { interval: 'all' },
    }
    const query = new URLSearchParams({ ...given, ...usual[kind], ...(more as Texts) })
    const url = `/v1/net${resource.rest?.path}${path}?${query}`
    const reply = await server.server.inject({ method: 'GET', url, headers })
    if (![200, 422].includes(reply.statusCode)) throw new Error(`${url}: ${reply.statusCode} ${reply.body}`)
    const told = String(reply.headers['ledgerlake-unknown'] ?? '')
    const common = {
      ...{ text: reply.body, isRefused: reply.statusCode !== 200, next: undefined },
      unknown: [...told.matchAll(/(\w+)=1/g)].map(([, name = '']) => name),
    }
    if (common.isRefused) return { ...common, records: [] }
    if (format !== undefined) return { ...common, records: (await readers[format]?.(reply.rawPayload)) ?? [] }
    const body = readExact<Json>(reply.body)
    const { next_page: page, pagination } = (body.meta ?? {}) as Meta
    const next = pagination === undefined ? page : pagination.next_page
    return {
      ...common,
      records: kind === 'totals' ? [body] : recordsIn(resource, kind, body),
      next: kind === 'list' && typeof next === 'bigint' ? { page: String(next) } : undefined,
    }
  },
  paths: ({ record = {}, variants }) =>
    new Map([
      ...Object.entries(record).flatMap(([name, member]) =>
        isNested(member) ? pathsOf(member.members, [name]) : pathsOf({ [name]: member }, []),
      ),
      ...Object.values<Members>(variants?.cases ?? {}).flatMap((members) =>
        pathsOf(members, [variants?.as ?? '']),
      ),
    ]),
}

/** The hosted service has another name for a list. */
const recordsIn = ({ rest }: Resource, kind: Kind, body: Json) =>
  ((kind === 'list' && body[rest?.envelope ?? '']) || body.records) as readonly Json[]

const isNested = (member: Member | Nested): member is Nested =>
  typeof member === 'object' && 'members' in member

/** Members that are columns, each behind the names given. */
const pathsOf = (members: Members, before: readonly string[]) =>
  Object.entries(members).flatMap(([name, member]): [string, readonly string[]][] =>
    typeof member === 'string' ? [[member, [...before, name]]] : [],
  )

const inCamelCase = (members: Members) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [camelCase(name), member]))
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const inSnakeCase = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [snakeCase(name), value]))
const namesOf = (members: Members = {}) => Object.keys(members).map(camelCase).join(' ')

/** Arguments of the list of GraphQL, by the parameters of REST that they are. */
export function argumentsOf(resource: Resource): Texts {
  const named = Object.entries(withGraphql(resource)?.graphql.arguments ?? {})
  const isOfEpochs = 'start_period' in resource.columns
  return {
    ...Object.fromEntries(named.map(([name, { filter }]) => [filter, name])),
    ...(isOfEpochs && { first_day: 'firstDay', last_day: 'lastDay' }),
  }
}

function fieldOf(kind: Kind, resource: Resource): readonly [name: string, selection: string] {
  if (kind === 'totals') return [sumsFieldName(resource, kind), namesOf(resource.totals)]
  if (kind === 'series') return [sumsFieldName(resource, kind), `rows { ${namesOf(resource.series?.sums)} }`]
  const fields = [...graphql.paths(resource).values()].map(([first, second]) =>
    second === undefined ? first : `${first} { ${second} }`,
  )
  const query = withGraphql(resource)?.graphql.query ?? ''
  return [query, `nodes { id ${fields.join(' ')} } pageInfo { hasNextPage endCursor }`]
}

interface Field extends Json {
  readonly nodes?: readonly Json[]
  readonly rows?: readonly Json[]
  readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string }
}

const graphql: Protocol = {
  name: 'GraphQL',
  async ask({ server, headers }, kind, resource, { as_of, ...given }, more = {}) {
    const names = kind === 'list' ? argumentsOf(resource) : {}
    const texts = Object.entries(given).map(([name, text]) => {
      const argument = names[name] ?? camelCase(name)
      return kind === 'series' && name === 'hotspot_key'
        ? `hotspotKeys: [${JSON.stringify(text)}]`
        : `${argument}: ${JSON.stringify(text)}`
    })
    const { after = '' } = more
    const usual = { list: [`first: 100, after: "${after}"`], totals: [], series: ['interval: ALL'] }
    const [name, selection] = fieldOf(kind, resource)
    const query = `{ asked: ${name}(${[...texts, ...usual[kind]].join(', ')}) { ${selection} } }`
    const url = as_of === undefined ? '/graphql' : `/graphql?as_of=${as_of}`
    const { data, errors, text } = await askGraphql(server.server, query, {}, url, headers)
    const asked = (data?.asked ?? {}) as Field
    const { extensions } = readExact<{ extensions?: { unknown?: readonly { argument: string }[] } }>(text)
    const filterOf = (argument: string) =>
      Object.keys(names).find((filter) => names[filter] === argument) ?? snakeCase(argument)
    const records = { list: asked.nodes, totals: [inSnakeCase(asked)], series: asked.rows?.map(inSnakeCase) }
    return {
      ...{ text, isRefused: errors.length > 0 || data === undefined, records: records[kind] ?? [] },
      unknown: (extensions?.unknown ?? []).map(({ argument }) => filterOf(argument)),
      next: asked.pageInfo?.hasNextPage === true ? { after: asked.pageInfo.endCursor } : undefined,
    }
  },
  paths(resource) {
    const face = withGraphql(resource)?.graphql
    return new Map([
      ...pathsOf(inCamelCase(face?.fields ?? {}), []),
      ...Object.entries(face?.nested ?? {}).flatMap(([name, members]) =>
        pathsOf(inCamelCase(members), [camelCase(name)]),
      ),
    ])
  },
}

const mcp: Protocol = {
  name: 'MCP',
  async ask({ mcp: client }, kind, resource, given, more = {}) {
    const usual = { list: { rows: 100 }, totals: {}, series: { interval: 'all', rows: 1000 } }
    const called = { resource: resource.name, ...given, ...usual[kind], ...more }
    const { isError, text } = await client.call(kind, called)
    if (isError) return { text, isRefused: true, records: [], unknown: [], next: undefined }
    const { answer, next, unknown } = readExact<{ answer: Json; next?: Json | null; unknown?: Json }>(text)
    const { meta } = answer as { readonly meta?: Meta }
    return {
      ...{
        text,
        isRefused: false,
        records: kind === 'totals' ? [answer] : recordsIn(resource, kind, answer),
      },
      unknown: Object.keys({ ...unknown, ...meta?.unknown }),
      next: kind === 'list' && next?.cursor !== undefined ? { cursor: next.cursor } : undefined,
    }
  },
  paths: rest.paths,
}

export const protocols = { rest, graphql, mcp } as const
