import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { allKinds } from './faults/faults.ts'
import { hasFault } from './faults/points.ts'
import { runPoints } from './faults/run-points.ts'
import { scenarios } from './interrupts/scenarios/scenarios.ts'

const POINTS = 300

/** `npm run test:long -- torture` does the same some thousand times. */
it('a fault at any file operation loses, duplicates and leaves nothing, and is reported', async () => {
  const folder = await temporaryFolder()
  const tried = await runPoints({
    folder,
    points: POINTS,
    seed: '1',
    endsWithFault: true,
    file: join(folder, 'points.ndjson'),
  })
  expect(tried.filter(hasFault)).toEqual([])
  const hit = tried.filter(({ isHit }) => isHit)
  expect(hit.length).toBeGreaterThan(POINTS * 0.95)
  expect([...new Set(hit.map(({ scenario }) => scenario))].sort()).toEqual(
    scenarios.map(({ name }) => name).sort(),
  )
  expect([...new Set(hit.map(({ kind }) => kind))].sort()).toEqual([...allKinds].sort())
  // Some faults end the process, some are overcome, and others are told: of keys that cannot be read, and of disks.
  expect([...new Set(hit.map(({ code }) => code))]).toEqual(expect.arrayContaining([undefined, 0, 2, 4]))
})
