import type { Repository } from '../answers/repository.ts'
import { isHotspotName } from '../answers/search/named-hotspots.ts'
import type { Series, SeriesQuery } from '../answers/series/series.ts'
import { identifiedBySeries } from '../answers/unknown/identified.ts'
import type { Reach } from '../answers/unknown/reach.ts'
import type { Unknown } from '../answers/unknown/unknown.ts'
import { refuse } from '../base/parameter-text.ts'
import type { Filters } from '../catalog/query/filter-values.ts'
import type { SeriesRequest } from '../catalog/query/series-parameters.ts'
import type { Resource } from '../catalog/resource.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'

interface Asked {
  readonly resource: Resource
  readonly filters: Filters
  readonly request: SeriesRequest
  /** The series of the original request. */
  readonly series: SeriesQuery
  readonly reach: Reach
  readonly at: Snapshot
  /** Name of the parameter with the keys, for errors. */
  readonly keysParam: string
}

/** A series with the names and unknown keys of its request. */
interface ReadSeries {
  readonly series: Series
  /** The key of each hotspot that was requested by name. */
  readonly names: Readonly<Record<string, string>>
  readonly unknown: Unknown
}

/**
 * Reads a series of hotspots by key or name, and looks up unknown keys.
 * Errors: `malformed_request` for a name of several hotspots.
 */
export async function readSeries(
  repository: Repository,
  asked: Asked,
  signal?: AbortSignal,
): Promise<ReadSeries> {
  const { resource, filters, request, at } = asked
  const { hotspotKeys = [], asHosted } = request
  const isNamed = !asHosted && hotspotKeys.some(isHotspotName)
  const names = isNamed
    ? await keysOfNames(repository, asked, hotspotKeys, signal)
    : new Map<string, string>()
  const settled =
    names.size === 0 ? request : { ...request, hotspotKeys: hotspotKeys.map((key) => names.get(key) ?? key) }
  const ofKeys = names.size === 0 ? asked.series : repository.series(resource, filters, settled, at)
  const series = await ofKeys.read(signal)
  const unknown = await unknownOf(repository, { ...asked, request: settled }, series, signal)
  return { series, names: Object.fromEntries(names), unknown }
}

async function keysOfNames(
  repository: Repository,
  { reach, at, keysParam }: Asked,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { keys, ambiguous } = await repository.named(texts, reach, at, signal)
  refuse(ambiguous.map((sentence) => ({ param: keysParam, message: `${keysParam} ${sentence}` })))
  return keys
}

/**
 * Finds unknown hotspots, owners and makers. Skips keys with rows in the series, and single values if the series has
 * rows.
 */
async function unknownOf(
  { unknown }: Repository,
  { resource, filters, request, reach, at }: Asked,
  { rows, withRows }: Series,
  signal?: AbortSignal,
): Promise<Unknown> {
  const identified = identifiedBySeries(resource, filters, request)
  const looked = (rows.length === 0 ? identified : identified.filter(({ values }) => values.length > 1)).map(
    (one) => ({ ...one, values: one.values.filter((value) => withRows?.has(value) !== true) }),
  )
  return looked.length === 0 ? {} : await unknown.read(looked, reach, at, signal)
}
