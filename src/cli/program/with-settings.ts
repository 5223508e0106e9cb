import { type Command, Option } from 'commander'
import { readSettings, type SettingName, type Settings, settingRows } from '../../settings.ts'

/** Values of flags by their names in camel case, as commander gives them. */
export type Flags = Readonly<Record<string, unknown>>

/** Prints a line on standard output. */
export const print = (line: string) => process.stdout.write(`${line}\n`)

/** Adds a flag for each named setting; its value also comes from the environment. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const { name, flag, placeholder, fallback, meaning } of settingRows) {
    if (!names.includes(name)) continue
    const words = placeholder === '' ? flag : `${flag} <${placeholder}>`
    const shown = placeholder === '' || fallback === '' ? meaning : `${meaning} (default: ${fallback})`
    command.addOption(new Option(words, `${shown} [LEDGERLAKE_${name.toUpperCase()}]`))
  }
  return command
}

/** Settings from flags and the environment; flags win. */
export function settingsFrom(flags: Flags): Settings {
  const given = settingRows.flatMap(({ name, flag }) => {
    const key = flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return flags[key] === undefined ? [] : [[name, String(flags[key])]]
  })
  return readSettings(process.env, Object.fromEntries(given))
}
