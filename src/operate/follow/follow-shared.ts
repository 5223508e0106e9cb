import { fail } from '../../base/errors.ts'
import { resources } from '../../catalog/resources.ts'
import { markOrigin, readOriginMark } from '../../lake/disk/origin-mark.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import { defaultRetryPolicy, retryRequest } from '../object-store/retry-request.ts'
import { type FollowRequest, type FollowResult, follow } from './follow.ts'
import type { SharingOrigin } from './sharing-origin.ts'

interface SharedRequest extends Omit<FollowRequest, 'areFilesBrought'> {
  readonly origin: SharingOrigin
}

/** Result of following, and the snapshot of the copy; empty for an empty lake. */
export interface FollowedSnapshot extends FollowResult {
  readonly snapshot: string
}

/**
 * Makes a folder the copy of a lake that another ledgerlake shares, or takes over what is new there. Errors: as of `follow`; `malformed_request`
 * for a lake of its own; `lake_damaged` also when other commits have led to the same versions there.
 */
export async function followShared(request: SharedRequest): Promise<FollowedSnapshot> {
  const { lake, origin, patience = defaultRetryPolicy, signal } = request
  // An address that was mistyped marks nothing.
  if (readOriginMark(lake) === undefined) await retryRequest(() => origin.versions(signal), patience, signal)
  const { isEmpty } = await new Lake(lake).latest()
  await markOrigin(lake, { url: origin.name, endpoint: '' }, isEmpty)
  const followed = await follow({ ...request, areFilesBrought: true })
  await refuseOtherCommits(lake, origin)
  return { ...followed, snapshot: (await new Lake(lake).latest()).id }
}

/** Equal versions are equal commits only if the snapshots are. */
async function refuseOtherCommits(lake: string, { name, served }: SharingOrigin): Promise<void> {
  const { snapshot, versions } = served() ?? {}
  const versionPairs = resources.flatMap((resource) => {
    const version = versions?.get(resource.name)
    return version === undefined ? [] : [[resource, version] as const]
  })
  const snapshotHere = await new Lake(lake).idAt(new Map(versionPairs))
  if (versionPairs.length === 0 || snapshotHere === snapshot) return
  fail(
    'lake_damaged',
    `${lake} has the snapshot ${snapshotHere} where ${name} has ${snapshot}, which was restored or made anew; copy it into an empty folder.`,
  )
}
