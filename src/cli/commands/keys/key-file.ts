import { openLake } from '../../../lake/snapshot/lake.ts'
import { keyFileOf } from '../../../services/keys.ts'
import type { Settings } from '../../../settings/settings.ts'

/** The file of keys. One that is not named lies in the lake, which must be there. Errors: `not_ready`. */
export async function keyFile(settings: Settings): Promise<string> {
  if (settings.keys === '') await openLake(settings.lake)
  return keyFileOf(settings)
}
