import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { writeCursor } from '../../../src/catalog/query/cursor.ts'
import { groupingsOf } from '../../../src/catalog/query/series-parameters.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { intervals } from '../../../src/catalog/series.ts'
import { sumsFieldName } from '../../../src/doors/graphql/schema/graphql-fields.ts'
import { seriesArguments } from '../../../src/doors/graphql/schema/graphql-series.ts'
import { graphqlSchemaOf } from '../../../src/doors/graphql/schema/schema.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { pick } from '../../support/network/draw.ts'
import { compareAnswers } from './answers.ts'
import { changeText, oddText, wellFormed } from './changes.ts'
import { some, type Target } from './target.ts'
import { besideMedian, filterText, otherText } from './values.ts'
import type { World } from './world.ts'

type Arguments = Readonly<Record<string, unknown>>
/** A query, put together of the fields of the schema. */
interface Asked {
  readonly query: string
  readonly variables: Arguments
  readonly isGet: boolean
  /** Where the whole request was changed. */
  readonly raw?: string
}

/** Beyond it names of the schema repeat themselves. */
const MOST_DEPTH = 6

export function graphqlTarget(world: World): Target<Asked> {
  const schema = graphqlSchemaOf(resources)
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {})
  const sources = resources.flatMap((resource) =>
    world.rowsOf(resource).length === 0
      ? []
      : fields
          .filter(({ name }) => name === resource.graphql?.query || name === seriesNameOf(resource))
          .map((field) => ({ field, resource })),
  )

  function draw(random: Random): Asked {
    const variables: Record<string, unknown> = {}
    const declared: string[] = []
    const calls = Array.from({ length: random.chance(0.8) ? 1 : 2 }, (_, index) => {
      const { field, resource } = pick(sources, random)
      const given = argumentsOf(field, resource, pick(world.rowsOf(resource), random), random)
      const written = Object.entries(given).map(([name, value]) => {
        const type = field.args.find((one) => one.name === name)?.type
        if (!random.chance(0.3)) return `${name}: ${literal(value)}`
        declared.push(`$${name}${index}: ${type}`)
        variables[`${name}${index}`] = value instanceof Name ? value.name : value
        return `${name}: $${name}${index}`
      })
      const call = written.length === 0 ? '' : `(${written.join(', ')})`
      return `l${index}: ${field.name}${call} ${selection(field.type, random)}`
    })
    const head = declared.length === 0 ? '' : `query Asked(${declared.join(', ')}) `
    return { query: `${head}{ ${calls.join(' ')} }`, variables, isGet: random.chance(0.2) }
  }

  function argumentsOf(field: GraphQLField<unknown, unknown>, resource: Resource, row: Row, random: Random) {
    const isSeries = field.name === seriesNameOf(resource)
    const named = isSeries
      ? seriesArguments(resource).map(({ name, param }) => [name, param] as const)
      : Object.entries(resource.graphql?.arguments ?? {}).map(([name, { filter }]) => [name, filter] as const)
    const rows = 1 + random.below(random.chance(0.8) ? 10 : 100)
    const paging = isSeries
      ? {}
      : { [random.chance(0.7) ? 'first' : 'last']: rows, ...cursorsOf(resource, random) }
    const hasMedian = named.some(([, param]) => param === 'median') && random.chance(0.2)
    const filters = named.flatMap(([name, param]): [string, unknown][] => {
      const type = field.args.find((one) => one.name === name)?.type
      if (hasMedian && param === 'median') return [[name, true]]
      const beside = hasMedian ? besideMedian[param] : undefined
      if (beside !== undefined) return [[name, new Name(beside.toUpperCase())]]
      if (!isNonNullType(type) && !random.chance(0.3)) return []
      const value = valueFor(resource, param, row, random)
      return value === undefined
        ? []
        : [[name, `${type}`.startsWith('[') ? [value] : `${type}`.startsWith('Int') ? Number(value) : value]]
    })
    return { ...Object.fromEntries(filters), ...paging }
  }

  function valueFor(resource: Resource, param: string, row: Row, random: Random) {
    if (param === 'interval') return new Name(pick(intervals, random).toUpperCase())
    if (param === 'group_by') return new Name(pick(groupingsOf(resource), random).toUpperCase())
    return filterText(resource, param, row, random) ?? otherText(world, param, row, random)
  }

  /** Of any row: what lies behind it, or before, is often nothing. */
  function cursorsOf(resource: Resource, random: Random): Arguments {
    if (!random.chance(0.3)) return {}
    const row = pick(world.rowsOf(resource), random)
    const cursor = writeCursor(
      resource,
      resource.order.map(({ column }) => row[column] ?? null),
    )
    return { [random.chance(0.5) ? 'after' : 'before']: cursor }
  }

  return {
    name: 'graphql',
    draw,
    mutate: (asked, random) => change(asked, random),
    show: (asked) => `${asked.raw ?? asked.query} ${JSON.stringify(asked.variables)}`,
    async run({ query, variables, isGet, raw }, isValid) {
      const text = raw ?? JSON.stringify({ query, variables })
      const address = new URLSearchParams({
        query: wellFormed(query),
        variables: wellFormed(JSON.stringify(variables)),
      })
      const headers = { 'content-type': 'application/json' }
      const request = isGet
        ? ({ method: 'GET', url: `/graphql?${address}`, headers: {} } as const)
        : ({ method: 'POST', url: '/graphql', headers, body: text } as const)
      const operation = world.document.paths['/graphql']?.[isGet ? 'get' : 'post']
      return await compareAnswers(world, request, Object.keys(operation?.responses ?? {}), isValid)
    },
  }
}

const seriesNameOf = (resource: Resource) =>
  resource.series === undefined ? undefined : sumsFieldName(resource, 'series')

/** A name of an enumeration. */
class Name {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const literal = (value: unknown): string => {
  if (value instanceof Name) return value.name
  return Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : JSON.stringify(value)
}

/** Some of the fields of a type, down to values; of a union one of its types. */
function selection(type: GraphQLOutputType, random: Random, depth = 0): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (isUnionType(named)) {
    const parts = some(named.getTypes(), random).map(
      (one) => `... on ${one.name} ${selection(one, random, depth + 1)}`,
    )
    return `{ __typename ${parts.join(' ')} }`
  }
  if (!isObjectType(named)) throw new Error(`${named} is neither an object nor a value`)
  const fields = Object.values(named.getFields()).filter(
    ({ type: own }) => depth < MOST_DEPTH || isLeafType(getNamedType(own)),
  )
  const chosen = some(fields, random).map(
    (field) => `${field.name} ${selection(field.type, random, depth + 1)}`,
  )
  return `{ ${chosen.join(' ')} }`
}

function change(asked: Asked, random: Random): Asked {
  const tokens = asked.query.match(/"(?:[^"\\]|\\.)*"|[\w$]+|[^\s\w]/g) ?? []
  const at = random.below(tokens.length)
  const put = (...others: readonly string[]) => ({
    ...asked,
    query: tokens.toSpliced(at, 1, ...others).join(' '),
  })
  const own = tokens[at] ?? ''
  const [name = '', value] = pick(Object.entries({ none: '', ...asked.variables }), random)
  const ways = [
    () => put(),
    () => put(own, own),
    () => put(pick([own, ...tokens], random)),
    () =>
      put(
        own.startsWith('"') ? JSON.stringify(changeText(own.slice(1, -1), random)) : changeText(own, random),
      ),
    () => put(JSON.stringify(oddText(random))),
    () => put(own, `... on ${pick(['Query', 'Nothing', 'IotRewardShare'], random)} { __typename }`),
    () => put(own, ...Array.from({ length: 1 + random.below(40) }, (_, index) => `a${index}: __typename`)),
    () => ({ ...asked, query: asked.query.replaceAll(/(first|last): \d+/g, `$1: ${pick(counts, random)}`) }),
    () => ({
      ...asked,
      variables: { ...asked.variables, [name]: pick([null, 1, -1, [], {}, oddText(random), value], random) },
    }),
    () => ({
      ...asked,
      raw: changeText(JSON.stringify({ query: asked.query, variables: asked.variables }), random),
    }),
    () => ({ ...asked, query: changeText(asked.query, random) }),
  ]
  return pick(ways, random)()
}

const counts = ['0', '-1', '100', '101', '2147483647', '2147483648', '1.5', 'null', '"1"', '$first0']
