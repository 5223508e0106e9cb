import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { killCommands } from '../torture/kills/rounds.ts'

/** `npm run test:long -- kills` does the same some hundred times. */
it('a killed ingest loses and duplicates no row and leaves no file after it was run again', async () => {
  const sizes = { hotspots: 30, transactions: 600 }
  const runs = 12
  const rounds = await killCommands({ folder: await temporaryFolder(), runs, seed: 1, ...sizes })
  expect(rounds.filter((round) => round.phase !== undefined)).toHaveLength(runs)
  const kinds = [
    ...['of the ledger', 'on a fresh lake'],
    ...['on a lake left behind', 'around a checkpoint', 'beside another ingest', 'while sorting for filters'],
  ]
  const seen = new Set(rounds.map(({ kind }) => kind))
  expect(kinds.filter((kind) => !seen.has(kind))).toEqual([])
})
