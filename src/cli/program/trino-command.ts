import type { Command } from 'commander'
import { registerTrino } from '../commands/sql/trino-register.ts'
import { type Flags, print, settingsFrom, trinoSettings, withSettings } from '../flags/with-settings.ts'

export function addTrinoCommand(program: Command): void {
  const trino = program
    .command('trino')
    .description('Work with a Trino cluster that reads the tables of the lake.')
  withSettings(
    trino
      .command('register')
      .description('Make the tables of the lake known to Trino, and check those that are.'),
    ['lake', ...trinoSettings, 'request_timeout_ms'],
  ).action((flags: Flags) => registerTrino(settingsFrom(flags), print))
}
