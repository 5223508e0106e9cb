import { Option } from 'commander'
import { locales } from '../../catalog/spreadsheet-locale.ts'
import type { Flags } from './with-settings.ts'

/** Returns the flag `--spreadsheet`, which selects CSV for spreadsheets of a language. */
export function spreadsheetFlag(): Option {
  return new Option('--spreadsheet <LANGUAGE>', 'CSV for spreadsheets of a language, such as de')
    .choices(locales)
    .conflicts('format')
}

/** Returns the REST parameters for the spreadsheet of a language. */
export function sheetOfFlags({ spreadsheet }: Flags): Readonly<Record<string, string>> {
  return spreadsheet === undefined ? {} : { format: 'spreadsheet', locale: String(spreadsheet) }
}
