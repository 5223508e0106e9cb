import { type Command, Option } from 'commander'
import { readConfigFile } from '../../settings/config-file.ts'
import {
  environmentName,
  readSettings,
  type SettingInForce,
  type SettingName,
  type Settings,
  settingRows,
  settingsInForce,
} from '../../settings.ts'

/** Values of flags by their names in camel case, as commander gives them. */
export type Flags = Readonly<Record<string, unknown>>

/** Prints a line on standard output. */
export const print = (line: string) => process.stdout.write(`${line}\n`)

/** Where a cluster is that answers. */
export const trinoSettings: readonly SettingName[] = settingRows
  .map(({ name }) => name)
  .filter((name) => name.startsWith('trino_'))

/** Settings of commands that answer from a lake by the engine of a server. */
export const readingSettings: readonly SettingName[] = [
  'lake',
  'state',
  'engine_memory_mb',
  'engine_spill_mb',
  'engine_threads',
  'engine_connections',
  'engine',
  ...trinoSettings,
]

/** Adds a flag for each named setting, and for the file. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  return withFlags(command, ['config', ...names])
}

/** Adds a flag for each named setting; its value also comes from the environment. */
export function withFlags(command: Command, names: readonly SettingName[]): Command {
  for (const { name, flag, placeholder, fallback, meaning } of settingRows) {
    if (!names.includes(name)) continue
    const words = placeholder === '' ? flag : `${flag} <${placeholder}>`
    const shown = placeholder === '' || fallback === '' ? meaning : `${meaning} (default: ${fallback})`
    command.addOption(new Option(words, `${shown} [${environmentName(name)}]`))
  }
  return command
}

/** Settings from flags, the environment and a file; the first that has one wins. */
export function settingsFrom(flags: Flags): Settings {
  const settings = readSettings(...sourcesOf(flags))
  // The engine is loaded where no settings are known, and workers inherit it.
  if (settings.cache_dir !== '') process.env[environmentName('cache_dir')] ??= settings.cache_dir
  return settings
}

/** The same with where each comes from. */
export function settingsInForceFrom(flags: Flags): readonly SettingInForce[] {
  return settingsInForce(...sourcesOf(flags))
}

function sourcesOf(flags: Flags) {
  const given = settingRows.flatMap(({ name, flag }) => {
    const key = flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return flags[key] === undefined ? [] : [[name, String(flags[key])]]
  })
  const named: Readonly<Partial<Record<SettingName, string>>> = Object.fromEntries(given)
  const file = readConfigFile(named.config ?? process.env[environmentName('config')] ?? '')
  return [process.env, named, file] as const
}
