import { expect, it } from 'vitest'
import { compareSides } from '../support/differential/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('gives the same digits from index, log, files, memory and a plain reduction', async () => {
  const requests = 600
  const folder = await temporaryFolder()
  const result = await compareSides({
    ...{ folder, seed: 'ci', requests, step: 28, sharesAFile: 14, postgres: false },
  })
  expect(result.totals).toBeGreaterThan(requests / 3)
  expect(result.lists).toBeGreaterThan(requests / 4)
  expect(result.sides).toEqual([
    'model',
    'index by hotspot and log',
    'compacted, index by hotspot and log',
    'log, no state',
    'files alone',
    'memory',
    'compacted files alone',
  ])
  expect(result.unindexed).toBe(0)
})
