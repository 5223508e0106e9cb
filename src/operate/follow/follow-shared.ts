import { fail } from '../../base/errors.ts'
import { resources } from '../../catalog/resources.ts'
import { markOrigin, readOriginMark } from '../../lake/disk/origin-mark.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import { fromOrigin } from './bring-file.ts'
import { type FollowRequest, type FollowResult, follow } from './follow.ts'
import type { SharingOrigin } from './sharing-origin.ts'

interface SharedRequest extends Omit<FollowRequest, 'areFilesBrought'> {
  readonly origin: SharingOrigin
}

/** Result of following, and the id of the copy's snapshot; empty for an empty lake. */
export interface FollowedSnapshot extends FollowResult {
  readonly snapshot: string
}

/**
 * Copies a lake that another ledgerlake shares into a folder, or updates an existing copy.
 * Errors: those of `follow`; `malformed_request` if the folder has a lake that is no copy; `lake_damaged` if the same
 * versions have other commits.
 */
export async function followShared(request: SharedRequest): Promise<FollowedSnapshot> {
  const { lake, origin } = request
  // Check the address first, so that a mistyped one is not stored in the folder.
  if (readOriginMark(lake) === undefined) await fromOrigin(request, (at, signal) => at.versions(signal))
  const { isEmpty } = await new Lake(lake).latest()
  await markOrigin(lake, { url: origin.name, endpoint: '' }, isEmpty)
  const followed = await follow({ ...request, areFilesBrought: true })
  await refuseOtherCommits(lake, origin)
  return { ...followed, snapshot: (await new Lake(lake).latest()).id }
}

/** Equal version numbers prove equal commits only if the snapshot ids are equal. */
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
