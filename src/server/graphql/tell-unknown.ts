import type { GraphQLResolveInfo } from 'graphql'
import type { Resource } from '../../catalog/resource.ts'
import type { Filters } from '../../derive/filter-values.ts'
import { camelCase } from '../../derive/graphql-fields.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import { identifiedBy, type Unknown } from '../../repository/unknown.ts'
import { unlessGone } from '../../unless-gone.ts'
import { unknownNames } from '../known-names.ts'
import type { GraphqlContext } from './context.ts'

/** Names in `extensions.unknown` what nothing has of the filters of a field that found nothing. */
export async function tellUnknownFilters(
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  resource: Resource,
  filters: Filters,
  at: Snapshot,
): Promise<void> {
  tellUnknown(context, info, unknownNames(resource)(filters, at.table(resource)))
  const asked = identifiedBy(resource, filters)
  if (asked.length === 0) return
  const { repository, reach, signal } = context
  tellUnknown(context, info, await unlessGone(repository.unknown.read(asked, reach, at, signal), signal))
}

/** Names in `extensions.unknown` what nothing has, by the field and its argument. */
export function tellUnknown({ unknown }: GraphqlContext, { path }: GraphQLResolveInfo, found: Unknown): void {
  for (const [param, values] of Object.entries(found))
    unknown.push({ path: String(path.key), argument: camelCase(param), values })
}
