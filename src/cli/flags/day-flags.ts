import { Option } from 'commander'
import { flagOfForm } from './flag-values.ts'
import type { Flags } from './with-settings.ts'

/** Flags that select days. They exclude each other. */
const ranges = ['month', 'year', 'firstDay', 'lastDay', 'from', 'to']

/** Returns the flag `--month`, which selects the paid days of a month. */
export function monthFlag(): Option {
  return new Option('--month <MONTH>', 'the days of a month that were paid, as in 2025-02')
    .argParser(flagOfForm(/^20\d\d-(0[1-9]|1[0-2])$/, 'Use a month such as 2025-02.'))
    .conflicts(ranges.filter((name) => name !== 'month'))
}

/** Returns the flag `--year`, which selects the paid days of a year. */
export function yearFlag(): Option {
  return new Option('--year <YEAR>', 'the days of a year that were paid, as in 2025')
    .argParser(flagOfForm(/^20\d\d$/, 'Use a year such as 2025.'))
    .conflicts(ranges.filter((name) => name !== 'year'))
}

/** Returns the REST parameters for the days of a month or a year. */
function daysOfFlags({ month, year }: Flags): Readonly<Record<string, string>> {
  if (month !== undefined) return { first_day: String(month), last_day: String(month) }
  return year === undefined ? {} : { first_day: `${year}-01`, last_day: `${year}-12` }
}

/** Converts the name of a parameter to that of its flag in commander: `first_day` to `firstDay`. */
function flagName(parameter: string): string {
  return parameter.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns the parameters of the equal REST request that flags give. */
export function queryOfFlags(flags: Flags, names: readonly string[]): Readonly<Record<string, string>> {
  const given = names.flatMap((name) => {
    const value = flags[flagName(name)]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { ...Object.fromEntries(given), ...daysOfFlags(flags) }
}
