import { availableParallelism } from 'node:os'
import { buildDerived, rowsLacking } from '../../services/derived.ts'
import type { Settings } from '../../settings/settings.ts'
import { openStepLine } from '../progress.ts'
import { type BuilderBeside, startBuilderBeside } from './builder-beside.ts'

/** For less, starting a process takes longer than it saves. */
const ROWS_FOR_TWO = 200_000

/** Builds indexes after commits; after a large ingest a second process helps. */
export interface Building {
  /** Tells how many rows are coming: the blocks of many are built while the others are still ingested. */
  expect(rows: number): void
  /** Builds what the newest snapshot lacks, and says on standard error what is under way. */
  finish(): Promise<void>
  /** Ends what was begun for commits that failed. */
  close(): void
}

export function openBuilding(settings: Settings): Building {
  const canShare = availableParallelism() > 1 && settings.engine !== 'trino'
  let builder: BuilderBeside | undefined

  /** Rows that nobody expected, such as those of a compaction. */
  async function lookForMuch(): Promise<void> {
    if (canShare && (await rowsLacking(settings, 'others')) >= ROWS_FOR_TWO)
      builder ??= startBuilderBeside(settings)
  }

  async function build(say: (sentence: string) => void): Promise<void> {
    if (builder === undefined) await lookForMuch()
    if (builder === undefined) return void (await buildDerived(settings, say))
    const [areBuilt] = await Promise.all([builder.finish(say), buildDerived(settings, say, ['index'])])
    // It may have lacked memory, which the other one has given back by now.
    if (!areBuilt) await buildDerived(settings, say, ['others'])
  }

  return {
    expect(rows) {
      if (canShare && rows >= ROWS_FOR_TWO) builder ??= startBuilderBeside(settings)
    },
    async finish() {
      const steps = openStepLine(process.stderr)
      await build(steps.begin).finally(steps.stop)
    },
    close: () => builder?.close(),
  }
}

/** Builds what the newest snapshot lacks, and says on standard error what is under way. */
export async function buildWithSteps(settings: Settings): Promise<void> {
  await openBuilding(settings).finish()
}
