import { join } from 'node:path'
import { temporaryFolder } from '../temporary-folder.ts'
import { ingestInto } from './build-lake.ts'
import { thirtyShares, writeOracleFiles } from './make-lake.ts'
import { copyOnceMade } from './once-a-run.ts'

/** A lake into which days are ingested one by one: thirty shares each, and a message that no row can be made of. */
export interface RefusingLake {
  readonly folder: string
  /** Ingests further days, each by a commit of its own. */
  addDays(count: number): Promise<void>
}

/** Those of the same number of days are copies of one lake, ingested once for all test files of a run. */
export async function refusingLake(days: number): Promise<RefusingLake> {
  const home = await temporaryFolder()
  await copyOnceMade(`${days} days with a reject`, home, async (made) => await daysIn(made, 0).addDays(days))
  return daysIn(home, days)
}

/** A lake below a folder that has the first days. */
function daysIn(home: string, days: number): RefusingLake {
  const folder = join(home, 'lake')
  let next = days
  const addDays = async (count: number) => {
    for (const end = next + count; next < end; next += 1) {
      const input = join(home, `day-${next}`)
      const date = new Date(Date.UTC(2025, 0, 29 + next)).toISOString().slice(0, 10)
      const name = `iot/iot_network_reward_shares_v1.${1_738_108_800_000 + next * 86_400_000}.gz`
      await writeOracleFiles(input, { [name]: [...thirtyShares(date), Buffer.alloc(0)] })
      const { stored, refusedRows } = await ingestInto(folder, [input])
      if (stored !== 1 || refusedRows !== 1) throw new Error(`${date} was not taken in as it should be`)
    }
  }
  return { folder, addDays }
}
