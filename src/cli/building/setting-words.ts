import type { SettingName, Settings } from '../../settings/settings.ts'

/** Flags that give another process of this program some settings, and its file of settings. */
export function settingWords(settings: Settings, names: readonly SettingName[]): readonly string[] {
  return (['config', ...names] as const).flatMap((name) => [
    `--${name.replaceAll('_', '-')}`,
    textOf(settings[name]),
  ])
}

/** A setting as its flag has it. */
function textOf(value: Settings[SettingName]): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.entries(value)
    .map((pair) => pair.join('='))
    .join(',')
}
