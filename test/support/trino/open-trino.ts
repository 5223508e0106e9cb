import { realpath } from 'node:fs/promises'
import type { Engine } from '../../../src/engine/engine.ts'
import { registerTables } from '../../../src/engine/trino/register-tables.ts'
import { openTrinoEngine } from '../../../src/engine/trino/trino-engine.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'

/** The cluster that `npm run test:long -- trino` has started; undefined elsewhere. */
export const trinoServer = process.env.TRINO_SERVER

let schemas = 0

/** An engine over a lake that is registered under a schema of its own. */
export async function openTrino(folder: string): Promise<Engine> {
  if (trinoServer === undefined) throw new Error('no cluster was started; use: npm run test:long -- trino')
  schemas += 1
  const place = { catalog: 'lake', schema: `lake_${process.pid}_${schemas}` }
  const options = { server: trinoServer, ...place, user: 'test', password: '', session: {} }
  const { tables } = await new Lake(folder).latest()
  const location = `local://${await realpath(folder)}`
  await registerTables({ ...options, location, longestMs: 60_000 }, tables, () => {})
  const limits = { statements: 3, longestMs: 120_000, longestListMs: 120_000 }
  return openTrinoEngine({ ...options, ...limits })
}
