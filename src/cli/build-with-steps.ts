import { buildDerived } from '../services/derived.ts'
import type { Settings } from '../settings.ts'
import { openStepLine } from './progress.ts'

/** Builds what the newest snapshot lacks, and says on standard error what is under way. */
export async function buildWithSteps(settings: Settings): Promise<void> {
  const steps = openStepLine(process.stderr)
  await buildDerived(settings, steps.begin).finally(steps.stop)
}
