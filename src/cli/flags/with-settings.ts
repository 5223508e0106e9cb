import { type Command, Option } from 'commander'
import { isInBucket, usualCopy } from '../../services/settings/bucket-settings.ts'
import { readConfigFile } from '../../services/settings/config-file.ts'
import { headingOf } from '../../services/settings/setting-groups.ts'
import {
  environmentName,
  readSettings,
  type SettingInForce,
  type SettingName,
  type Settings,
  settingRows,
  settingsInForce,
} from '../../services/settings/settings.ts'

/** Flag values by name in camel case, as commander returns them. */
export type Flags = Readonly<Record<string, unknown>>

/** Names of the settings of a Trino cluster. */
export const trinoSettingNames: readonly SettingName[] = settingRows
  .map(({ name }) => name)
  .filter((name) => name.startsWith('trino_'))

/** Settings of commands that read a lake with the engine of a server. */
export const readingSettings: readonly SettingName[] = [
  'lake',
  'state',
  'engine_memory_mb',
  'engine_spill_mb',
  'engine_threads',
  'engine_connections',
  'engine',
  ...trinoSettingNames,
]

/** Adds a flag for each setting, and for the settings file. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  return withFlags(command, ['config', ...names])
}

/** Settings that locate a lake in a bucket. */
const bucketNames: readonly SettingName[] = ['lake_endpoint', 'lake_copy', 'lake_copy_mb']

/** More flags than this stand below headings. */
const MOST_WITHOUT_HEADINGS = 20

/** Adds a flag for each setting; its value may also come from the environment. */
export function withFlags(command: Command, names: readonly SettingName[]): Command {
  for (const { name, flag, placeholder, fallback, meaning } of settingRows) {
    if (!names.includes(name) && !(names.includes('lake') && bucketNames.includes(name))) continue
    const words = placeholder === '' ? flag : `${flag} <${placeholder}>`
    const shown = placeholder === '' || fallback === '' ? meaning : `${meaning} (default: ${fallback})`
    const option = new Option(words, `${shown} [${environmentName(name)}]`)
    const heading = names.length > MOST_WITHOUT_HEADINGS ? headingOf(name) : undefined
    command.addOption(heading === undefined ? option : option.helpGroup(`${heading}:`))
  }
  return command
}

/**
 * Reads settings from flags, the environment and a file, in this order of precedence. If the lake is in a bucket,
 * `lake` is the folder of its copy.
 */
export function settingsFrom(flags: Flags): Settings {
  const given = givenSettings(flags)
  const settings = isInBucket(given.lake) ? { ...given, lake: copyOf(given) } : given
  // The engine is loaded without access to settings, and workers inherit the environment.
  if (settings.cache_dir !== '') process.env[environmentName('cache_dir')] ??= settings.cache_dir
  return settings
}

/** Reads settings; `lake` is the address as given. */
export const givenSettings = (flags: Flags): Settings => readSettings(...sourcesOf(flags))

/** Returns the folder of the copy of a lake in a bucket. */
function copyOf({ lake, lake_copy: copy, lake_endpoint: endpoint }: Settings): string {
  return copy === '' ? usualCopy(lake, endpoint) : copy
}

/** Returns the settings with the source of each value. */
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
