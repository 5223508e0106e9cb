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
  return resources.flatMap((resource) =>
    resource.rest === undefined ? [] : ofFace(resource, resource.rest, givesHostedSums),
  )
}

/** Lists the operations of a resource; those without an id are not declared. */
function ofFace(resource: Resource, rest: RestFace, givesHostedSums: boolean): readonly RestOperation[] {
  const { path, summary, find, hosted, needs = [], totalsNeed = [] } = rest
  const { series } = resource
  type Make = (
    kind: Operation,
    id: string | undefined,
    below: string,
    text: string,
  ) => readonly RestOperation[]
  const make =
    (needed: readonly Feature[]): Make =>
    (kind, id, below, text) =>
      id === undefined ? [] : [{ id, kind, resource, rest, path: path + below, summary: text, needs: needed }]
  const [read, sum] = [make(needs), make([...needs, ...totalsNeed])]
  const keys = find?.by.map((column) => `, or ${column}`).join('')
  return [
    ...read('list', rest.list, '', summary),
    ...read('find', find?.operation, '/{id}', `${find?.thing} of an id${keys}`),
    ...sum('totals', rest.totals, '/totals', `${summary}, summed`),
    ...sum('series', series?.operation, series?.path ?? '', `${summary}, summed by day, week or month`),
    ...(givesHostedSums
      ? [
          ...sum('daily', hosted?.daily, '/daily-totals', `${summary}, summed by day`),
          ...sum(
            'providers',
            hosted?.providers,
            '/totals-by-service-provider',
            `${summary}, summed by service provider`,
          ),
        ]
      : []),
  ]
}

/** True if an operation also gives files. */
export function hasFiles({ kind }: RestOperation, { givesFiles }: Pick<QueryDialect, 'givesFiles'>): boolean {
  return givesFiles && (kind === 'list' || kind === 'series')
}

/** Path of a list or series as files, below the prefix. */
export function filesPath({ path }: RestOperation): string {
  return `/files${path}`
}

/** True if an operation also accepts POST, with hotspot keys in the body. */
export function takesBody({ kind, resource }: RestOperation): boolean {
  return kind === 'series' && hasHotspots(resource)
}
