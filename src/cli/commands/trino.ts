import type { Command } from 'commander'
import { fail } from '../../base/errors.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { registerInTrino } from '../../services/trino.ts'
import { type Flags, settingsFrom, trinoSettingNames, withSettings } from '../flags/with-settings.ts'
import { print } from '../terminal-text.ts'

export function addTrinoCommand(program: Command): void {
  const trino = program
    .command('trino')
    .description('Work with a Trino cluster that reads the tables of the lake.')
  withSettings(
    trino
      .command('register')
      .description('Make the tables of the lake known to Trino, and check those that are.'),
    ['lake', ...trinoSettingNames, 'request_timeout_ms'],
  ).action((flags: Flags) => registerTrino(settingsFrom(flags)))
}

/** Registers the tables of the lake in Trino, and prints a line for each. Errors: those of `registerTables`. */
async function registerTrino(settings: Settings): Promise<void> {
  let tables = 0
  await registerInTrino(settings, ({ table, location, was }) => {
    tables += 1
    print(was === 'known' ? `${table} is there, at ${location}` : `${table} registered at ${location}`)
  })
  if (tables === 0)
    fail('not_ready', `The lake ${settings.lake} has no table yet; use: ledgerlake ingest PATH... --lake DIR`)
}
