import type { Command } from 'commander'
import { removeKeyFile } from '../../../operate/keys/key-file.ts'
import { forgetKeysNeeded } from '../../../operate/keys/keys-needed.ts'
import type { Settings } from '../../../settings/settings.ts'
import { type Flags, print, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import type { Print } from '../../terminal-text.ts'
import { keyFile } from './key-file.ts'

export function addKeysOffCommand(keys: Command): void {
  withSettings(
    keys
      .command('off')
      .description('Serve without keys again: remove the key file, when every key in it is revoked.'),
    ['lake', 'keys'],
  ).action((flags: Flags) => turnKeysOff(settingsFrom(flags), print))
}

/** Removes the key file, which must have no key in use, and the note that keys are needed. Errors: `malformed_request`. */
export async function turnKeysOff(settings: Settings, print: Print): Promise<void> {
  await removeKeyFile(await keyFile(settings))
  if (settings.keys === '') await forgetKeysNeeded(settings.lake)
  print(
    'No key is needed any more once the server is started anew; without keys it listens on loopback only.',
  )
}
