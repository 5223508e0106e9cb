import type { Command } from 'commander'
import { runVerify, type VerifyFlags } from '../commands/verify.ts'
import { type Flags, print, settingsFrom, withSettings } from './with-settings.ts'

export function addVerifyCommand(program: Command): void {
  withSettings(
    program
      .command('verify')
      .description(
        'Read every byte of the lake, its state folder and its keys, and compare them with their checksums and with each other; nothing is written.',
      )
      .option('--json', 'print the findings as JSON'),
    ['lake', 'state', 'keys', 'engine_memory_mb', 'engine_threads', 'ingest_memory_mb'],
  ).action(async (flags: Flags & VerifyFlags) => {
    process.exitCode = await runVerify(settingsFrom(flags), flags, print)
  })
}
