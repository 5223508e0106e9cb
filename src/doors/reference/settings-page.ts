import { code, page, table, written } from './markdown.ts'

/** A setting as its page shows it. */
export interface SettingLine {
  readonly name: string
  /** With its placeholder, such as `--lake DIR`. */
  readonly flag: string
  readonly variable: string
  /** In words where it depends on the machine. */
  readonly fallback: string
  readonly meaning: string
  /** What `.env.example` gives the variable. */
  readonly example: string
}

/** Every setting, with all its names. */
export function settingsPage(settings: readonly SettingLine[]): string {
  const rows = settings.map(({ name, flag, variable, fallback, meaning }) => [
    code(name),
    code(flag),
    code(variable),
    fallback === '' ? '(empty)' : fallback,
    meaning,
  ])
  return page(
    '# Settings',
    written('the settings, `src/settings/settings.ts`'),
    'A flag wins over the environment variable, that over the file, and that over the default. The file is JSON, such as ' +
      '`{"lake": "/srv/lake", "port": 8080, "open": true}`; paths in it begin at its folder. A name in it that is not in this list is ' +
      'refused, and so is an environment variable that begins with `LEDGERLAKE_`. `ledgerlake config` shows what is in ' +
      'force and where it comes from, `ledgerlake COMMAND --help` the flags of a command.',
    table(['Setting', 'Flag', 'Environment variable', 'Default', 'Meaning'], rows),
  )
}

/** A file of environment variables in which every setting has its default. */
export function environmentExample(settings: readonly SettingLine[]): string {
  return page(
    '# Copy to .env, remove the # of what should differ, and start with:\n' +
      '#   node --env-file=.env bin/ledgerlake serve',
    ...settings.map(({ variable, meaning, example }) => `# ${meaning}\n# ${variable}=${example}`),
  )
}
