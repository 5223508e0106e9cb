import { generatedNote, inlineCode, markdownTable, page } from './markdown.ts'

export interface SettingLine {
  readonly name: string
  /** Flag with its placeholder, such as `--lake DIR`. */
  readonly flag: string
  readonly variable: string
  /** Default; words if it depends on the machine. */
  readonly fallback: string
  readonly meaning: string
  /** Value in `.env.example`. */
  readonly example: string
}

/** Writes the page of settings. */
export function settingsPage(settings: readonly SettingLine[]): string {
  const rows = settings.map(({ name, flag, variable, fallback, meaning }) => [
    inlineCode(name),
    inlineCode(flag),
    inlineCode(variable),
    fallback === '' ? '(empty)' : fallback,
    meaning,
  ])
  return page(
    '# Settings',
    generatedNote('the settings, `src/settings/settings.ts`'),
    'A flag wins over the environment variable, that over the file, and that over the default. The file is JSON, such as ' +
      '`{"lake": "/srv/lake", "port": 8080, "open": true}`; paths in it begin at its folder. A name in it that is not in this list is ' +
      'refused, and so is an environment variable that begins with `LEDGERLAKE_`. `ledgerlake config` shows what is in ' +
      'force and where it comes from, `ledgerlake COMMAND --help` the flags of a command.',
    markdownTable(['Setting', 'Flag', 'Environment variable', 'Default', 'Meaning'], rows),
  )
}

/** Writes `.env.example`, with the default of every setting. */
export function environmentExample(settings: readonly SettingLine[]): string {
  return page(
    '# Copy to .env, remove the # of what should differ, and start with:\n' +
      '#   node --env-file=.env bin/ledgerlake serve',
    ...settings.map(({ variable, meaning, example }) => `# ${meaning}\n# ${variable}=${example}`),
  )
}
