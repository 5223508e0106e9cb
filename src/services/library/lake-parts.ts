import { fail } from '../../base/errors.ts'
import type { ServedSnapshots } from '../../doors/snapshots/served-snapshots.ts'
import type { Services } from '../services.ts'
import type { Settings } from '../settings/settings.ts'
import type { Lake } from './api.ts'

/** The open parts of a lake, for a server of it. */
export interface LakeParts {
  readonly settings: Settings
  readonly services: Services
  readonly snapshots: ServedSnapshots
  readonly onError: (error: unknown) => void
}

const parts = new WeakMap<Lake, LakeParts>()

export function keepParts(lake: Lake, open: LakeParts): void {
  parts.set(lake, open)
}

/** Errors: `malformed_request` for anything but a lake that `openLake` returned. */
export function partsOf(lake: Lake): LakeParts {
  return parts.get(lake) ?? fail('malformed_request', 'lake is not what openLake returned')
}
