import type { Command } from 'commander'
import { runMcp } from '../commands/mcp.ts'
import { type Flags, readingSettings, settingsFrom, withSettings } from '../flags/with-settings.ts'

export function addMcpCommand(program: Command): void {
  withSettings(
    program
      .command('mcp')
      .description(
        'Answer an assistant over standard input and output, by the Model Context Protocol: lists, sums, and read-only SQL.',
      ),
    [...readingSettings, 'request_timeout_ms', 'refresh_ms'],
  ).action((flags: Flags) => runMcp(settingsFrom(flags)))
}
