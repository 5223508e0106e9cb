import { afterEach, expect, it } from 'vitest'
import { killIngests } from '../support/kills/rounds.ts'
import { killPrograms } from '../support/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

afterEach(killPrograms)

/** `npm run kills` does the same some hundred times. */
it('an ingest that is killed loses, doubles and leaves nothing once it has been run again', async () => {
  const sizes = { hotspots: 30, transactions: 600 }
  const rounds = await killIngests({ folder: await temporaryFolder(), runs: 12, seed: 1, ...sizes })
  expect(rounds.filter((round) => round.phase !== undefined)).toHaveLength(12)
  expect(new Set(rounds.map((round) => round.kind))).toEqual(
    new Set([
      'on a fresh lake',
      'on a lake left behind',
      'around a checkpoint',
      'beside another ingest',
      'of the ledger',
      'while sorting for filters',
    ]),
  )
}, 300_000)
