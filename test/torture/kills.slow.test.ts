import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { killCommands } from './kills/rounds.ts'

/** `npm run test:long -- torture --kills 1000` does the same some hundred times. */
it('killed commands lose, duplicate and leave nothing, and concurrent readers see only committed data', async () => {
  const rounds = await killCommands({ folder: await temporaryFolder(), runs: 7, seed: '1', only: 'read' })
  const commands = new Set(rounds.map(({ command }) => command))
  expect(commands).toEqual(new Set(['ingest', 'compact', 'vacuum', 'backup', 'keys']))
  expect(rounds.reduce((sum, { answered }) => sum + answered, 0)).toBeGreaterThan(10)
})
