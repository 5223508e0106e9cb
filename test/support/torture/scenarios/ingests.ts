import { join } from 'node:path'
import type { Step } from '../../kills/inputs.ts'
import { must, runMain } from '../../run-main.ts'
import { checkLake, checkWhole, lakeIn } from '../lake-checks.ts'
import { INPUT, type Scenario, SMALL } from '../scenario.ts'
import { makeTinyLedger } from '../tiny-ledger.ts'
import { makeTinySteps } from '../tiny-steps.ts'

/** Ingests: of new files, of more of them over a checkpoint, of other bytes, of states, and of the ledger. */

export interface Ingest {
  readonly name: string
  readonly make: (folder: string) => Promise<readonly Step[]>
  /** Which of the steps; those before it are in already. */
  readonly step: number
  readonly flags?: readonly string[]
  /** Flags of the steps before it. */
  readonly flagsBefore?: readonly string[]
  /** Flags of every step; little memory unless given. */
  readonly common?: readonly string[]
}

export function ingestScenario(ingest: Ingest): Scenario & Required<Pick<Scenario, 'command'>> {
  const { name, make, step, flags = [], flagsBefore = [], common = SMALL } = ingest
  let steps: readonly Step[] = []
  let made = ''
  const lineOf = (folder: string, number: number, more: readonly string[]) => {
    const paths = (steps[number] as Step).args.map((path) => path.replace(made, join(folder, INPUT)))
    return ['ingest', ...paths, '--lake', lakeIn(folder), ...common, ...more]
  }
  const command = (folder: string) => lineOf(folder, step, flags)
  const held = () => ({
    before: steps[step - 1]?.sources ?? [],
    after: (steps[step] as Step).sources,
  })
  return {
    name,
    async prepare(folder) {
      made = join(folder, INPUT)
      steps = await make(made)
      for (let number = 0; number < step; number += 1) await must(...lineOf(folder, number, flagsBefore))
    },
    command,
    act: (folder) => runMain(command(folder)),
    check: (folder, ended) => checkLake(lakeIn(folder), held(), ended?.code === 0),
    checkEnd: (folder) => checkWhole(lakeIn(folder), held()),
  }
}

export const ingests: readonly Scenario[] = [
  ingestScenario({ name: 'first ingest', make: makeTinySteps, step: 0 }),
  ingestScenario({
    name: 'ingest over a checkpoint',
    make: makeTinySteps,
    step: 1,
    flags: ['--ingest-commit-rows', '1'],
    flagsBefore: ['--ingest-commit-rows', '1'],
  }),
  ingestScenario({ name: 'ingest of other bytes', make: makeTinySteps, step: 2 }),
  ingestScenario({ name: 'first ledger', make: makeTinyLedger, step: 0 }),
  ingestScenario({ name: 'newer states', make: makeTinyLedger, step: 1 }),
]
