import { expect, it } from 'vitest'
import { killCommands } from '../support/kills/commands.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** `npm run test:long -- torture --kills 1000` does the same some hundred times. */
it('killed commands lose, duplicate and leave nothing, and concurrent readers see only committed data', async () => {
  const { kills, answered } = await killCommands({ folder: await temporaryFolder(), kills: 6, seed: '1' })
  const commands = new Set(kills.map(({ command }) => command))
  expect(commands).toEqual(new Set(['ingest', 'compact', 'vacuum', 'backup', 'keys', 'worker of serve']))
  expect(answered).toBeGreaterThan(10)
})
