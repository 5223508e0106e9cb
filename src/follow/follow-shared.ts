import { resources } from '../catalog/resources.ts'
import { fail } from '../errors.ts'
import { Lake } from '../lake/lake.ts'
import { type Followed, type FollowRequest, follow } from './follow.ts'
import type { SharingOrigin } from './sharing-origin.ts'

/**
 * Takes over what another ledgerlake serves; then the copy has the snapshot of the same id. Errors: as of `follow`, and `lake_damaged`
 * when other commits have led to the same versions there.
 */
export async function followShared(
  request: FollowRequest & { readonly origin: SharingOrigin },
): Promise<Followed> {
  const { lake, origin } = request
  const followed = await follow(request)
  const { snapshot, versions } = origin.served() ?? { snapshot: '', versions: new Map<string, number>() }
  const known = resources.flatMap((one) => {
    const version = versions.get(one.name)
    return version === undefined ? [] : [[one, version] as const]
  })
  const own = await new Lake(lake).idAt(new Map(known))
  if (known.length > 0 && own !== snapshot)
    fail(
      'lake_damaged',
      `The snapshot ${own} of ${lake} is not the one of ${origin.name}, ${snapshot}: it was restored or made anew; copy it into an empty folder.`,
    )
  return followed
}
