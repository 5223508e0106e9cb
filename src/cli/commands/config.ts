import type { Command } from 'commander'
import { visible } from '../../base/visible.ts'
import { withoutKeys } from '../../keys/api-key.ts'
import { type SettingInForce, settingRows } from '../../services/settings/settings.ts'
import { type Flags, settingsInForceFrom, withSettings } from '../flags/with-settings.ts'
import { alignColumns, print } from '../terminal-text.ts'

export function addConfigCommand(program: Command): void {
  withSettings(
    program
      .command('config')
      .description('Show the settings in force, and where each comes from: flag, environment, file, default.')
      .option('--json', 'print them as JSON'),
    settingRows.map(({ name }) => name),
  ).action((_flags: Flags, command: Command) => {
    const flags: Flags = command.optsWithGlobals()
    return showConfig(settingsInForceFrom(flags), flags.json === true)
  })
}

/** Meanings of settings that are empty. */
const whenEmpty: Readonly<Record<string, string>> = {
  state: '_state in the lake',
  keys: '_keys/keys.ndjson in the lake',
}

const emptyText = (name: string) => (name in whenEmpty ? `(empty: ${whenEmpty[name]})` : '(empty)')

/** Prints each setting with its source. Keys are masked. */
function showConfig(settings: readonly SettingInForce[], isJson: boolean): void {
  if (isJson) {
    const entries = settings.map(({ name, text, from }) => [name, { value: text, from }])
    print(withoutKeys(JSON.stringify(Object.fromEntries(entries), null, 2)))
    return
  }
  const rows = settings.map(({ name, text, from }) => [name, visible(text) || emptyText(name), visible(from)])
  for (const line of alignColumns([['setting', 'value', 'from'], ...rows], [0, 1, 2]))
    print(withoutKeys(line))
}
