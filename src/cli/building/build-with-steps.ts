import { availableParallelism } from 'node:os'
import { buildDerived, rowsLacking } from '../../services/derived.ts'
import { engines } from '../../services/engines.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { openStepLine, type StepLine } from '../progress.ts'
import { type BuilderProcess, startBuilder } from './builder-process.ts'

/** Below this number of rows, starting a process takes longer than it saves. */
const ROWS_FOR_TWO = 200_000

/** Builds indexes after commits. During a large ingest a second process builds the row indexes. */
export interface Building {
  /** Starts a second builder for 200,000 rows or more, which works during the ingest. */
  expect(rows: number): void
  /** Builds the indexes that the newest snapshot lacks, and shows the steps on standard error. */
  finish(): Promise<void>
  /** Stops the builder after failed commits. */
  close(): void
}

export function openBuilding(settings: Settings): Building {
  const canShare = availableParallelism() > 1 && engines[settings.engine].readsByRowNumber
  let builder: BuilderProcess | undefined

  /** Starts the builder if many rows lack indexes although `expect` did not announce them, as after a compaction. */
  async function startIfManyLack(): Promise<void> {
    if (canShare && (await rowsLacking(settings, 'rows')) >= ROWS_FOR_TWO)
      builder ??= startBuilder(settings, true)
  }

  async function build(steps: StepLine): Promise<void> {
    const reports = { onProgress: steps.begin, onFailure: steps.keep }
    if (builder === undefined) await startIfManyLack()
    if (builder === undefined) return void (await buildDerived(settings, reports))
    const [areBuilt] = await Promise.all([
      builder.finish(steps),
      buildDerived(settings, reports, 'exceptRows'),
    ])
    // The builder may have lacked memory, which the other build has released by now.
    if (!areBuilt) await buildDerived(settings, reports, 'rows')
  }

  return {
    expect(rows) {
      if (canShare && rows >= ROWS_FOR_TWO) builder ??= startBuilder(settings, true)
    },
    async finish() {
      const steps = openStepLine(process.stderr)
      await build(steps).finally(steps.stop)
    },
    close: () => builder?.close(),
  }
}

/** Builds the indexes that the newest snapshot lacks, and shows the steps on standard error. */
export async function buildWithSteps(settings: Settings): Promise<void> {
  await openBuilding(settings).finish()
}
