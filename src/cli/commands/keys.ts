import type { Command } from 'commander'
import { addKeysAddCommand } from './keys/keys-add.ts'
import { addKeysListCommand } from './keys/keys-list.ts'
import { addKeysOffCommand } from './keys/keys-off.ts'
import { addKeysRevokeCommand } from './keys/keys-revoke.ts'

export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('Manage API keys. Once there is one, servers require a key, running servers included.')
  addKeysAddCommand(keys)
  addKeysListCommand(keys)
  addKeysRevokeCommand(keys)
  addKeysOffCommand(keys)
}
