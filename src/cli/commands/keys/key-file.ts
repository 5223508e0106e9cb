import { openLake } from '../../../lake/snapshot/lake.ts'
import { keyFileOf } from '../../../services/keys.ts'
import type { Settings } from '../../../services/settings/settings.ts'

/** Returns the path of the key file. The default is in the lake, which must exist. Errors: `not_ready`. */
export async function keyFile(settings: Settings): Promise<string> {
  if (settings.keys === '') await openLake(settings.lake)
  return keyFileOf(settings)
}
