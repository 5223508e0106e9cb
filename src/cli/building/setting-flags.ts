import type { SettingName, Settings } from '../../services/settings/settings.ts'

/** Returns the flags that pass these settings, and the settings file, to another process of this program. */
export function settingFlags(settings: Settings, names: readonly SettingName[]): readonly string[] {
  return (['config', ...names] as const).flatMap((name) => [
    `--${name.replaceAll('_', '-')}`,
    textOf(settings[name]),
  ])
}

/** Formats a setting as the value of its flag. */
function textOf(value: Settings[SettingName]): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.entries(value)
    .map((pair) => pair.join('='))
    .join(',')
}
