import { trinoOptionsOf } from '../engine/trino/options-of.ts'
import { type Registered, registerTables } from '../engine/trino/register-tables.ts'
import { openLake } from '../lake/snapshot/lake.ts'
import { type Settings, secretOf } from './settings/settings.ts'

/** Registers the tables of the lake in a Trino cluster. Errors: those of the lake and of `registerTables`. */
export async function registerInTrino(settings: Settings, report: (one: Registered) => void): Promise<void> {
  const { tables } = await (await openLake(settings.lake)).latest()
  await registerTables(trinoOptionsOf(settings, secretOf('trino_password')), tables, report)
}
