import type { CommandScenario, Scenario } from '../scenario.ts'
import { backups } from './backups.ts'
import { commits } from './commits.ts'
import { counting } from './counts.ts'
import { buildingDerived } from './derived.ts'
import { ingests } from './ingests.ts'
import { keys } from './keys.ts'
import { maintenance } from './maintenance.ts'

const commands: readonly CommandScenario[] = [...ingests, ...maintenance, ...backups, ...keys]

/** Scenarios small enough to put a fault into each operation. */
export const scenarios: readonly Scenario[] = [...commits, ...commands, buildingDerived(), counting()]

/** Commands that are killed while others read the lake, where there is one. */
export const killedWhileRead = commands.filter(({ name }) =>
  [
    'ingest over a checkpoint',
    'ingest of other bytes',
    'compact',
    'vacuum',
    'backup',
    'keys add, the first',
    'keys add',
  ].includes(name),
)
