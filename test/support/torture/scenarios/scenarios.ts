import type { Scenario } from '../scenario.ts'
import { commits } from './commits.ts'
import { buildingDerived } from './derived.ts'
import { ingests } from './ingests.ts'
import { keys } from './keys.ts'
import { maintenance } from './maintenance.ts'

export const scenarios: readonly Scenario[] = [
  ...commits,
  ...ingests,
  ...maintenance,
  buildingDerived(),
  ...keys,
]
