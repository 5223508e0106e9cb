import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startPostgres } from '../../bench/support/postgres.ts'
import { cleanUp } from '../support/clean-up.ts'
import { drawYears } from '../support/network/years.ts'
import { makeLakes } from '../support/properties/lakes.ts'
import { comparePostgres } from '../support/properties/postgres-side.ts'
import { drawRequests } from '../support/properties/queries.ts'
import { compareSides, openSide } from '../support/properties/sides.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** `npm run test:long -- differential` sets both; then the years have a file for each day, and PostgreSQL answers too where it is installed. */
const { DIFFERENTIAL_REQUESTS, DIFFERENTIAL_SEED = '1' } = process.env
const isLong = DIFFERENTIAL_REQUESTS !== undefined
const SHARES_A_FILE = 14

it('random requests get the same digits from index, log, files, memory and a plain reduction', async () => {
  const count = Number(DIFFERENTIAL_REQUESTS ?? 600)
  const folder = await temporaryFolder()
  const years = drawYears(DIFFERENTIAL_SEED, isLong ? 1 : 28, SHARES_A_FILE)
  const requests = drawRequests(Number(DIFFERENTIAL_SEED), years, count)
  const { plain, compacted, state, compactedState } = await makeLakes(folder, years)
  const empty = (name: string) => join(folder, 'without', name)
  const indexed = [
    await openSide('index by hotspot and log', { lake: plain, state, usesLog: true }),
    await openSide('the same, compacted', { lake: compacted, state: compactedState, usesLog: true }),
  ]
  const sides = [
    ...indexed,
    await openSide('log', { lake: plain, state: empty('log'), usesLog: true }),
    await openSide('files', { lake: plain, state: empty('files'), usesLog: false }),
    await openSide('memory', { lake: plain, state: empty('memory'), usesLog: false, inMemory: true }),
    await openSide('compacted files', { lake: compacted, state: empty('compacted'), usesLog: false }),
  ]
  cleanUp(() => Promise.all(sides.map((side) => side.close())))
  await compareSides(sides, years.files, requests)
  expect(indexed.filter((side) => side.lacks())).toEqual([])
  const unknown = indexed.map((side) => side.unknown())
  if (!isLong) {
    expect(unknown).toEqual([0, 0])
    return
  }
  const postgres = startPostgres()
  if (postgres !== undefined) comparePostgres(postgres, years.files, requests)
  postgres?.stop()
  console.log({ count, files: years.files.length, unknown, postgres: postgres?.version })
})
