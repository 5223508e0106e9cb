import { join } from 'node:path'
import { expect, it } from 'vitest'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { hasFault } from './faults/points.ts'
import { runPoints } from './faults/run-points.ts'
import { scenarios } from './interrupts/scenarios/scenarios.ts'

it('commits, keys and counts are correct after a fault at any of their file operations', async () => {
  const folder = await temporaryFolder()
  const only = ['commit', 'keys', 'counting']
  const tried = await runPoints({
    folder,
    seed: '1',
    only,
    endsWithFault: true,
    file: join(folder, 'points.ndjson'),
  })
  expect(tried.filter(hasFault)).toEqual([])
  const crashes = tried.filter(({ kind }) => kind === 'crash')
  for (const scenario of some(
    scenarios.map(({ name }) => name).filter((name) => only.some((part) => name.includes(part))),
  )) {
    const numbers = crashes.filter((point) => point.scenario === scenario).map(({ at }) => at)
    expect(numbers.sort((a, b) => a - b)).toEqual(
      Array.from({ length: numbers.length }, (_, index) => index + 1),
    )
    expect(numbers.length).toBeGreaterThan(20)
  }
})
