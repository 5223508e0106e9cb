import type { Command } from 'commander'
import { visible } from '../../../base/visible.ts'
import { readKeys, removeKeyFile, revokeKey } from '../../../keys/key-file.ts'
import { forgetKeysNeeded } from '../../../keys/keys-needed.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { type Flags, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import { type Print, print } from '../../terminal-text.ts'
import { keyFile } from './key-file.ts'

/** Adds the commands that revoke a key and remove the key file. */
export function addKeysRevokeCommands(keys: Command): void {
  withSettings(keys.command('revoke').description('Revoke a key.').argument('<name or id>', 'of the key'), [
    'lake',
    'keys',
  ]).action((nameOrId: string, flags: Flags) => revokeApiKey(settingsFrom(flags), nameOrId, print))
  withSettings(
    keys
      .command('off')
      .description('Serve without keys again: remove the key file, when every key in it is revoked.'),
    ['lake', 'keys'],
  ).action((flags: Flags) => turnKeysOff(settingsFrom(flags), print))
}

/** Revokes a key by name or id. Errors: `not_found`. */
export async function revokeApiKey(settings: Settings, nameOrId: string, print: Print): Promise<void> {
  const path = await keyFile(settings)
  const { id, name } = await revokeKey(path, nameOrId, new Date())
  print(visible(`Revoked the key of ${name}, ${id}; a server that runs notices it within a second.`))
  const left = ((await readKeys(path)) ?? []).filter((key) => key.revoked === undefined)
  if (left.length > 0) return
  print('No key is left, so no request is answered; to serve without keys: ledgerlake keys off')
}

/** Removes the key file and the note that keys are needed. Errors: `malformed_request` if a key is in use. */
export async function turnKeysOff(settings: Settings, print: Print): Promise<void> {
  await removeKeyFile(await keyFile(settings))
  if (settings.keys === '') await forgetKeysNeeded(settings.lake)
  print(
    'No key is needed any more once the server is started anew; without keys it listens on loopback only.',
  )
}
