import { expect, it } from 'vitest'
import { compareSides } from '../support/differential/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** `npm run test:long -- differential` sets both; then the years have a file for each day, and PostgreSQL answers too where it is installed. */
const { DIFFERENTIAL_REQUESTS, DIFFERENTIAL_SEED = 'ci' } = process.env
const isLong = DIFFERENTIAL_REQUESTS !== undefined

it('random requests get the same digits from index, log, files, memory and a plain reduction', async () => {
  const requests = Number(DIFFERENTIAL_REQUESTS ?? 600)
  const folder = await temporaryFolder()
  const result = await compareSides({
    ...{ folder, seed: DIFFERENTIAL_SEED, requests, step: isLong ? 1 : 28 },
    ...{ sharesAFile: 14, postgres: isLong },
  })
  expect(result.totals).toBeGreaterThan(requests / 3)
  expect(result.lists).toBeGreaterThan(requests / 4)
  expect(result.sides.filter((name) => name !== 'PostgreSQL')).toEqual([
    'model',
    'index by hotspot and log',
    'compacted, index by hotspot and log',
    'log, no state',
    'files alone',
    'memory',
    'compacted files alone',
  ])
  if (!isLong) expect(result.unindexed).toBe(0)
  if (isLong) console.log(result)
})
