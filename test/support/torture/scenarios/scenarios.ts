import type { Scenario } from '../scenario.ts'
import { backups } from './backups.ts'
import { commits } from './commits.ts'
import { counting } from './counts.ts'
import { buildingDerived } from './derived.ts'
import { ingests } from './ingests.ts'
import { keys } from './keys.ts'
import { maintenance } from './maintenance.ts'

export const scenarios: readonly Scenario[] = [
  ...commits,
  ...ingests,
  ...maintenance,
  ...backups,
  buildingDerived(),
  ...keys,
  counting(),
]
