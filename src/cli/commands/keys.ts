import type { Command } from 'commander'
import { addKeysAddCommand } from './keys/keys-add.ts'
import { addKeysListCommand } from './keys/keys-list.ts'
import { addKeysRevokeCommands } from './keys/keys-revoke.ts'

export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('Manage API keys. Once there is one, servers require a key, running servers included.')
  addKeysAddCommand(keys)
  addKeysListCommand(keys)
  addKeysRevokeCommands(keys)
}
