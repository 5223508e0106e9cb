import { expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { fuzz, newProgress } from '../support/fuzz/run.ts'
import { openTargets } from '../support/fuzz/targets.ts'
import { openWorld } from '../support/fuzz/world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CASES = 2000

it('answers drawn cases as the memory engine does, and takes nothing wrong from changed ones', async () => {
  const world = await openWorld(await temporaryFolder())
  cleanUp(() => world.close())
  const targets = await openTargets(world, [], 2)
  const progress = newProgress('slice')
  await fuzz(targets, progress, CASES)
  expect(progress.faults.slice(0, 5)).toEqual([])
  expect(progress.done).toBe(CASES)
  expect(Object.keys(progress.tallies)).toEqual([...new Set(targets.map(({ name }) => name))])
  for (const [name, tally] of Object.entries(progress.tallies)) {
    expect(tally.valid, `${name}: valid cases`).toBeGreaterThan(30)
    expect(tally.mutated, `${name}: changed cases`).toBeGreaterThan(20)
    expect(tally.refused + tally.ignored, `${name}: changes that were seen`).toBeGreaterThan(0)
    expect(tally.data / (tally.valid + tally.mutated), `${name}: answered with data`).toBeGreaterThan(0.5)
  }
})
