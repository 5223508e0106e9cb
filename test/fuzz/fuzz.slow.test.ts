import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { derivedTargets } from './cases/derived-files.ts'
import { graphqlTarget } from './cases/graphql.ts'
import { keyTargets } from './cases/key-files.ts'
import { lakeTargets } from './cases/lake-files.ts'
import { restTarget } from './cases/rest.ts'
import { fuzz } from './cases/run.ts'
import { sourceTargets } from './cases/sources.ts'
import type { Target } from './cases/target.ts'
import { textTargets } from './cases/texts.ts'
import { openWorld } from './cases/world.ts'

/** `npm run test:long -- fuzz` sets these; the path repeats the case of a failure. */
const { FUZZ_CASES = '2000', FUZZ_SEED = '1', FUZZ_PATH } = process.env
/** Targets that ingest get fewer cases, since an ingest takes longer. */
const INGEST = 2

const world = await openWorld(await temporaryFolder())
const quick: readonly Target[] = [
  await restTarget(world),
  graphqlTarget(world),
  ...(await lakeTargets(world)),
  ...(await derivedTargets(world)),
  ...(await keyTargets(world)),
  ...textTargets(world),
]
const ingests = await sourceTargets(world)
const share = Math.ceil(Number(FUZZ_CASES) / (quick.length + ingests.length / INGEST))
const targets = [
  ...quick.map((target) => [target.name, share, target] as const),
  ...ingests.map((target) => [target.name, Math.ceil(share / INGEST), target] as const),
]

it.each(targets)(
  'random cases get the responses of the memory engine, and changed cases no wrong ones: %s, %i cases',
  async (_, numRuns, target) => {
    const path = FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH }
    const tally = await fuzz(target, { seed: Number(FUZZ_SEED), numRuns, ...path })
    if (process.env.FUZZ_CASES !== undefined) console.log(JSON.stringify(tally))
    expect(tally.valid + tally.mutated).toBe(FUZZ_PATH === undefined ? numRuns : 1)
    if (numRuns < 20) return
    expect(tally.valid).toBeGreaterThan(numRuns / 3)
    expect(tally.mutated).toBeGreaterThan(numRuns / 5)
    expect(tally.refused + tally.ignored).toBeGreaterThan(0)
    expect(tally.data).toBeGreaterThan(numRuns / 2)
  },
)
