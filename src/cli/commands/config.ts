import type { Command } from 'commander'
import { visible } from '../../base/visible.ts'
import { withoutKeys } from '../../keys/api-key.ts'
import { stateFolderOf } from '../../services/folders.ts'
import { keyFileOf } from '../../services/keys.ts'
import { type SettingInForce, type Settings, settingRows } from '../../services/settings/settings.ts'
import { type Flags, settingsFrom, settingsInForceFrom, withSettings } from '../flags/with-settings.ts'
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
    return showConfig(settingsInForceFrom(flags), settingsFrom(flags), flags.json === true)
  })
}

/** Paths that follow from the lake if their setting is empty. */
function pathsOf(settings: Settings): Readonly<Record<string, string>> {
  return { state: stateFolderOf(settings), keys: keyFileOf(settings) }
}

/** Prints each setting with its source, and in a table the paths in place of empty settings. Keys are masked. */
function showConfig(settings: readonly SettingInForce[], resolved: Settings, isJson: boolean): void {
  if (isJson) {
    const entries = settings.map(({ name, text, from }) => [name, { value: text, from }])
    print(withoutKeys(JSON.stringify(Object.fromEntries(entries), null, 2)))
    return
  }
  const paths = pathsOf(resolved)
  const rows = settings.map(({ name, text, from }) => [
    ...[name, visible(text || (paths[name] ?? '(empty)')), visible(from)],
  ])
  for (const line of alignColumns([['setting', 'value', 'from'], ...rows], [0, 1, 2]))
    print(withoutKeys(line))
}
