import type { GraphQLResolveInfo } from 'graphql'
import { identifiedBy } from '../../../answers/unknown/identified.ts'
import type { Unknown } from '../../../answers/unknown/unknown.ts'
import { unlessGone } from '../../../base/unless-gone.ts'
import { camelCase } from '../../../base/values/camel-case.ts'
import type { Filters } from '../../../catalog/query/filter-values.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { unknownNames } from '../../known-names.ts'
import type { GraphqlContext } from '../request/context.ts'

/** Adds the unknown filter values of an empty list to `extensions.unknown`. */
export async function tellUnknownFilters(
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  resource: Resource,
  filters: Filters,
  at: Snapshot,
): Promise<void> {
  reportUnknown(context, info, unknownNames(resource)(filters, at.table(resource)))
  const identifiers = identifiedBy(resource, filters)
  if (identifiers.length === 0) return
  const { repository, reach, signal } = context
  reportUnknown(
    context,
    info,
    await unlessGone(repository.unknown.read(identifiers, reach, at, signal), signal),
  )
}

/** Adds unknown values to `extensions.unknown`, with the path and argument. */
export function reportUnknown(
  { unknown }: GraphqlContext,
  { path }: GraphQLResolveInfo,
  found: Unknown,
): void {
  for (const [param, values] of Object.entries(found))
    unknown.push({ path: String(path.key), argument: camelCase(param), values })
}
