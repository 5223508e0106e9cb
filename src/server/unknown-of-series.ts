import type { Resource } from '../catalog/resource.ts'
import type { Filters } from '../derive/filter-values.ts'
import type { SeriesRequest } from '../derive/series-parameters.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Repository } from '../repository/repository.ts'
import type { Series } from '../repository/series.ts'
import { identifiedBySeries, type Reach, type Unknown } from '../repository/unknown.ts'

/** What nothing has of the hotspots, owner or maker of a series. One thing that has rows is known; of several each is looked up. */
export async function unknownOfSeries(
  { unknown }: Repository,
  resource: Resource,
  filters: Filters,
  request: SeriesRequest,
  { rows }: Series,
  reach: Reach,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<Unknown> {
  const asked = identifiedBySeries(resource, filters, request)
  const looked = rows.length === 0 ? asked : asked.filter(({ values }) => values.length > 1)
  return looked.length === 0 ? {} : await unknown.read(looked, reach, at, signal)
}
