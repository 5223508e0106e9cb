import { join } from 'node:path'
import { must } from '../../../support/servers/run-main.ts'
import { checkLake, checkWhole } from '../lake-checks.ts'
import { makeTinyLedger } from '../ledger-steps.ts'
import { makeTinySteps } from '../oracle-steps.ts'
import { type CommandScenario, INPUT, lakeIn, ofCommand, SMALL } from '../scenario.ts'
import type { Step } from '../steps.ts'

export interface Ingest {
  readonly name: string
  readonly make: (folder: string) => Promise<readonly Step[]>
  /** Which of the steps; those before it are in already. */
  readonly step: number
  /** Flags of this step and those before it; little memory unless given. */
  readonly flags?: readonly string[]
}

export function ingestScenario({ name, make, step, flags = SMALL }: Ingest): CommandScenario {
  let steps: readonly Step[] = []
  let made = ''
  const lineOf = (folder: string, number: number) => {
    const paths = (steps[number] as Step).args.map((path) => path.replace(made, join(folder, INPUT)))
    return ['ingest', ...paths, '--lake', lakeIn(folder), ...flags]
  }
  const held = () => ({
    before: steps[step - 1]?.sources ?? [],
    after: (steps[step] as Step).sources,
  })
  return ofCommand({
    name,
    held,
    async prepare(folder) {
      made = join(folder, INPUT)
      steps = await make(made)
      for (let number = 0; number < step; number += 1) await must(...lineOf(folder, number))
    },
    command: (folder) => lineOf(folder, step),
    check: (folder, ended) => checkLake(lakeIn(folder), held(), ended?.code === 0),
    checkEnd: (folder) => checkWhole(lakeIn(folder), held()),
  })
}

/** How an ingest is called that commits every few rows. */
export const every = (rows: number) => ['--ingest-commit-rows', `${rows}`]

/** Of new files, of more of them over a checkpoint, of other bytes, of the ledger, and of states. */
export const ingests: readonly CommandScenario[] = [
  ingestScenario({ name: 'first ingest', make: makeTinySteps, step: 0 }),
  ingestScenario({
    ...{ name: 'ingest over a checkpoint', make: makeTinySteps, step: 1, flags: [...SMALL, ...every(1)] },
  }),
  ingestScenario({ name: 'ingest of other bytes', make: makeTinySteps, step: 2 }),
  ingestScenario({ name: 'first ledger', make: makeTinyLedger, step: 0 }),
  ingestScenario({ name: 'newer states', make: makeTinyLedger, step: 1 }),
]
