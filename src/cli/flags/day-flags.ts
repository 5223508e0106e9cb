import { InvalidArgumentError, Option } from 'commander'
import type { Flags } from './with-settings.ts'

/** Flags that name days. A command takes one kind of them. */
const ranges = ['month', 'year', 'firstDay', 'lastDay', 'from', 'to']

/** `--month`, the days of a month that were paid. */
export function monthFlag(): Option {
  return new Option('--month <MONTH>', 'the days of a month that were paid, as in 2025-02')
    .argParser((text) => {
      if (/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return text
      throw new InvalidArgumentError('Use a month such as 2025-02.')
    })
    .conflicts(ranges.filter((name) => name !== 'month'))
}

/** `--year`, those of a year. */
export function yearFlag(): Option {
  return new Option('--year <YEAR>', 'the days of a year that were paid, as in 2025')
    .argParser((text) => {
      if (/^20\d\d$/.test(text)) return text
      throw new InvalidArgumentError('Use a year such as 2025.')
    })
    .conflicts(ranges.filter((name) => name !== 'year'))
}

/** Parameters of REST for the days of a month or of a year. */
export function daysOfFlags({ month, year }: Flags): Readonly<Record<string, string>> {
  if (month !== undefined) return { first_day: String(month), last_day: String(month) }
  return year === undefined ? {} : { first_day: `${year}-01`, last_day: `${year}-12` }
}

/** The name by which commander has the flag of a parameter: `first_day` is `firstDay`. */
export function flagName(parameter: string): string {
  return parameter.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}
