import type { Feature } from '../../catalog/feature.ts'
import { hasHotspots } from '../../catalog/query/series-parameters.ts'
import type { Resource, RestFace } from '../../catalog/resource.ts'
import { type Operation, type QueryDialect, specifiedQueries } from './query-schema.ts'

/** An operation of REST. */
export interface RestOperation {
  /** Such as `get-iot-rewards`. Source: specification, "Endpoints". */
  readonly id: string
  readonly kind: Operation
  readonly resource: Resource
  readonly rest: RestFace
  /** Path below the prefix; a lookup has `{id}`. */
  readonly path: string
  readonly summary: string
  readonly needs: readonly Feature[]
}

/** Lists the REST operations of a dialect in the order of the catalog; those of a resource are adjacent. */
export function operationsOf(
  resources: readonly Resource[],
  { givesHostedSums }: Pick<QueryDialect, 'givesHostedSums'> = specifiedQueries,
): readonly RestOperation[] {
  return resources.flatMap((resource) => {
    const { rest } = resource
    if (rest === undefined) return []
    return [...ofFace(resource, rest), ...(givesHostedSums ? hostedOperations(resource, rest) : [])]
  })
}

function hostedOperations(resource: Resource, rest: RestFace): readonly RestOperation[] {
  const { path, summary, needs = [], totalsNeed = [], hosted } = rest
  if (hosted === undefined) return []
  const common = { resource, rest, needs: [...needs, ...totalsNeed] }
  return [
    {
      ...{ ...common, id: hosted.daily, kind: 'daily', path: `${path}/daily-totals` },
      summary: `${summary}, summed by day`,
    },
    {
      ...{ ...common, id: hosted.providers, kind: 'providers', path: `${path}/totals-by-service-provider` },
      summary: `${summary}, summed by service provider`,
    },
  ]
}

function ofFace(resource: Resource, rest: RestFace): readonly RestOperation[] {
  const { path, summary, find, needs = [], totalsNeed = [] } = rest
  const common = { resource, rest, needs }
  const list: RestOperation = { ...common, id: rest.list, kind: 'list', path, summary }
  const lookup: RestOperation | undefined = find && {
    ...common,
    id: find.operation,
    kind: 'find',
    path: `${path}/{id}`,
    summary: `${find.thing} of an id${find.by.map((column) => `, or ${column}`).join('')}`,
  }
  const totals: RestOperation | undefined =
    rest.totals === undefined
      ? undefined
      : {
          ...common,
          id: rest.totals,
          kind: 'totals',
          path: `${path}/totals`,
          summary: `${summary}, summed`,
          needs: [...needs, ...totalsNeed],
        }
  const series: RestOperation | undefined = resource.series && {
    ...common,
    id: resource.series.operation,
    kind: 'series',
    path: path + resource.series.path,
    summary: `${summary}, summed by day, week or month`,
    needs: [...needs, ...totalsNeed],
  }
  return [list, lookup, totals, series].filter((operation) => operation !== undefined)
}

/** Path of a list as files, below the prefix. */
export function filesPath({ path }: RestOperation): string {
  return `/files${path}`
}

/** True if an operation also accepts POST, with hotspot keys in the body. */
export function takesBody({ kind, resource }: RestOperation): boolean {
  return kind === 'series' && hasHotspots(resource)
}
