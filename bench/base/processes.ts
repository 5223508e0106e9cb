import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { type Implementation, measure, type TimedCase } from '../peers/measure.ts'
import { startAndAsk } from '../peers/scenarios.ts'
import { checkFacts, generatedFacts, storedFacts } from '../support/facts.ts'
import type { Asked } from '../support/load-process.ts'
import { type Workload, writeOracleFiles } from '../support/network.ts'
import { runToEnd } from '../support/program.ts'
import type { Build } from './ratios.ts'

type OfBuild<T> = Readonly<Record<Build, T>>

const DAYS = 2
const oneEach = { msPerTurn: 0, warmUpMs: 0 }

/** C1: from the start of the process to the first right answer. */
export async function measureStarts(
  serve: OfBuild<readonly string[]>,
  asked: Asked,
  rounds: number,
): Promise<TimedCase<Build>> {
  const one = { id: 'C1', name: 'start to the first answer', distinct: 1, connections: 1 }
  const start = async (args: readonly string[]) => (await startAndAsk(args, asked)) / 1000
  return await measure(one, once(serve, start), { rounds, ...oneEach })
}

/** I2: from the start of an ingest into a new lake to its end; the lake has to hold what the generator yielded. */
export async function measureIngests(
  programs: OfBuild<string>,
  workload: Workload,
  parent: string,
  rounds: number,
): Promise<TimedCase<Build>> {
  const days = { ...workload, days: DAYS }
  const { folder } = await writeOracleFiles(join(parent, 'ingests'), days)
  const facts = generatedFacts(days)
  const ingest = async (program: string) => {
    const lake = join(parent, 'ingested')
    const { seconds } = await runToEnd([program, 'ingest', folder, '--lake', lake])
    checkFacts(storedFacts(await new Lake(lake).latest()), facts)
    rmSync(lake, { recursive: true })
    return seconds
  }
  const one = { id: 'I2', name: `ingest of ${DAYS} days`, distinct: 1, connections: 1 }
  return await measure(one, once(programs, ingest), { rounds, ...oneEach })
}

/** A turn is one process; `run` gives its seconds. */
function once<T>(of: OfBuild<T>, run: (one: T) => Promise<number>): readonly Implementation<Build>[] {
  return (Object.entries(of) as [Build, T][]).map(([label, one]) => ({
    label,
    async turn() {
      const seconds = await run(one)
      return { micros: Float64Array.of(seconds * 1e6), seconds }
    },
  }))
}
