import { exportFormats } from '../../../src/catalog/export-formats.ts'
import { paidDayParameters, rangeOfDays } from '../../../src/catalog/query/paid-days.ts'
import { exportColumns } from '../../../src/catalog/records/flat-columns.ts'
import type { Row } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { operationsOf, type RestOperation } from '../../../src/doors/contract/operations.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { pick } from '../../support/network/draw.ts'
import { type DocumentedOperation, operationsIn } from '../../support/servers/documented.ts'
import { words } from '../../support/words.ts'
import { compareAnswers, type Request } from './answers.ts'
import { changeText, oddText, wellFormed } from './changes.ts'
import { some, type Target } from './target.ts'
import { besideMedian, filterText, otherText, paidDayText } from './values.ts'
import type { World } from './world.ts'

const PREFIX = '/v1/net'
const FORMATS = exportFormats.map(({ name }) => name)

/** A request before it is written: so names and values can be changed apart. */
interface Asked {
  readonly method: Request['method']
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** As the document has the path. */
  readonly template: string
  /** The address, where its characters were changed. */
  readonly raw?: string
}

interface Operation {
  readonly template: string
  readonly method: 'GET' | 'POST'
  readonly documented: DocumentedOperation
  readonly rest: RestOperation
}

/** Every operation of the catalog, with the parameters that its document lists and values that the rows of the lake have. */
export async function restTarget(world: World): Promise<Target<Asked>> {
  const operations = documentedOperations(world)
  const ids = new Map<string, readonly string[]>()
  for (const { rest } of operations) if (rest.kind === 'find') ids.set(rest.path, await idsOf(world, rest))
  const names = [
    ...new Set(operations.flatMap(({ documented }) => (documented.parameters ?? []).map((one) => one.name))),
  ]
  // Sums and lists of what the small network lacks could not be answered with data.
  const asked = operations.filter(({ rest }) => world.rowsOf(rest.resource).length > 0)

  function draw(random: Random): Asked {
    const { template, method, documented, rest } = pick(asked, random)
    const row = pick(world.rowsOf(rest.resource), random)
    const given = besideOthers(parametersOf(documented, rest, row, random))
    const path = template.replace('{id}', encodeURIComponent(pick(ids.get(rest.path) ?? ['none'], random)))
    const keys = row.hotspot_key ?? undefined
    return {
      ...{ method, path, template, query: given, headers: {} },
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ hotspot_keys: keys === undefined ? ['nobody'] : [String(keys)] }),
      }),
    }
  }

  function parametersOf(
    { parameters = [] }: DocumentedOperation,
    rest: RestOperation,
    row: Row,
    random: Random,
  ) {
    const { resource, kind } = rest
    const isFile = kind === 'list' && random.chance(0.15)
    const range = rangeOfDays(resource)
    const isOfDays = range !== undefined && random.chance(0.2)
    const apart = isOfDays ? [range.from, range.to] : Object.keys(paidDayParameters)
    return parameters.flatMap(
      ({ name, in: place, required, schema }): readonly (readonly [string, string])[] => {
        const isDrawn = random.chance(isFile ? 0.6 : 0.25) || (isFile && name === 'format')
        const isNeeded = required === true || resource.filters?.[name]?.required || name in paidDayParameters
        if (place !== 'query' || apart.includes(name) || !(isNeeded || isDrawn)) return []
        if (range !== undefined && name in paidDayParameters)
          return [[name, paidDayText(resource, range[name === 'first_day' ? 'from' : 'to'], row, random)]]
        if (name === 'format' && isFile) return [['format', pick(FORMATS, random)]]
        const ofFile = ['format', 'columns', 'coverage'].includes(name) && kind === 'list'
        if (ofFile !== isFile && (ofFile || ['page', 'per_page'].includes(name))) return []
        if (name === 'columns') {
          const columns = exportColumns(resource).map((one) => one.name)
          return [[name, some(columns, random).join(',')]]
        }
        const choices = schema.enum as readonly string[] | undefined
        const value =
          filterText(resource, name, row, random) ??
          (resource.filters?.[name] === undefined && choices !== undefined
            ? pick(choices, random)
            : otherText(world, name, row, random))
        return value === undefined || value === '' ? [] : [[name, value]]
      },
    )
  }

  function mutate(asked: Asked, random: Random): Asked {
    const { query, headers } = asked
    const at = random.below(query.length)
    const [name = 'from', value = ''] = query[at] ?? []
    const put = (...pairs: Asked['query']) => ({ ...asked, query: query.toSpliced(at, 1, ...pairs) })
    const ways = [
      () => put([name, changeText(value, random)]),
      () => put([name, oddText(random)]),
      () => put(),
      () => put([name, value], [name, random.chance(0.5) ? value : oddText(random)]),
      () => put([changeText(name, random), value]),
      () => put([name, value], [pick(names, random), random.chance(0.5) ? value : oddText(random)]),
      () => ({
        ...asked,
        path: pick(operations, random).template.replace(
          '{id}',
          encodeURIComponent(wellFormed(oddText(random))),
        ),
      }),
      () => ({ ...asked, raw: changeText(urlOf(asked), random) }),
      () => ({
        ...asked,
        method: pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'] as const, random),
      }),
      () => ({ ...asked, headers: { ...headers, [pick(headerNames, random)]: pick(headerValues, random) } }),
      () => ({ ...asked, ...(asked.method === 'POST' && { body: changeText(asked.body ?? '{}', random) }) }),
    ]
    return pick(ways, random)()
  }

  return {
    name: 'rest',
    draw,
    mutate,
    show: (asked) => `${asked.method} ${urlOf(asked)} ${JSON.stringify(asked.headers)} ${asked.body ?? ''}`,
    async run(asked, isValid) {
      const declared = Object.keys(
        world.document.paths[asked.template]?.[asked.method.toLowerCase()]?.responses ?? {},
      )
      const request = { method: asked.method, url: urlOf(asked), headers: asked.headers, body: asked.body }
      return await compareAnswers(world, request, declared, isValid)
    },
  }
}

function documentedOperations(world: World): readonly Operation[] {
  const known = operationsOf(resources)
  return operationsIn(world.document).flatMap(({ path, method, operation }) => {
    const rest = known.find((one) => PREFIX + one.path === path)
    if (rest === undefined) return []
    return [
      { template: path, method: method === 'post' ? 'POST' : 'GET', documented: operation, rest } as const,
    ]
  })
}

async function idsOf({ byMemory }: World, { rest }: RestOperation): Promise<readonly string[]> {
  const { body } = await byMemory.inject(`${PREFIX}${rest.path}?per_page=100`)
  const { [rest.envelope]: records = [] } = JSON.parse(body) as Record<string, Record<string, string>[]>
  return records.flatMap((record) => ['id', ...(rest.find?.by ?? [])].flatMap((name) => record[name] ?? []))
}

/** With what the others of the parameters cannot be asked without. */
function besideOthers(query: Asked['query']): Asked['query'] {
  if (!query.some(([name, value]) => name === 'median' && value === 'true')) return query
  return [...query.filter(([name]) => !(name in besideMedian)), ...Object.entries(besideMedian)]
}

/** The address; what no client could send is encoded. */
function urlOf({ path, query, raw }: Asked): string {
  const encoded = query.map((pair) => pair.map((text) => encodeURIComponent(wellFormed(text))).join('='))
  const url = raw ?? (encoded.length === 0 ? path : `${path}?${encoded.join('&')}`)
  const encodable = url.replaceAll(/[^!-~]/g, (char) => encodeURIComponent(wellFormed(char)))
  return encodable.replace(/^[^/]*/, '') || '/'
}

const headerNames =
  words(`accept accept-encoding if-none-match origin content-type range authorization x-api-key
  x-forwarded-for x-forwarded-prefix cache-control x-request-id expect if-modified-since te`)
const headerValues = [
  ...words(`* */* text/csv application/vnd.apache.parquet gzip br;q=0 identity;q=0 W/"x" " null https://example.org
    application/x-ndjson bytes=0-1 text/plain multipart/form-data - ;;;,,, 0 zstd application/graphql`),
  ...['application/json;q=0.1, text/csv', 'Bearer x', 'a'.repeat(9000)],
]
