import type { Resource, RestFace } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'

/** A state table that a service lists and whose records can be ingested. */
export type FollowedResource = Resource & { readonly rest: RestFace; readonly key: string }

export const followedResources: readonly FollowedResource[] = resources.filter(isFollowed)

function isFollowed(resource: Resource): resource is FollowedResource {
  const { arrival, holds, rest, key } = resource
  return arrival?.as === 'records' && holds === 'state' && rest !== undefined && key !== undefined
}
