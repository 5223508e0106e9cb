/** Languages of CSV for spreadsheets. All but English write numbers with a comma. */
export const locales: readonly string[] = [
  'en',
  'cs',
  'da',
  'de',
  'es',
  'fi',
  'fr',
  'it',
  'nb',
  'nl',
  'pl',
  'pt',
  'sv',
]

/** Marks of numbers and cells in CSV for spreadsheets. */
interface CsvMarks {
  readonly decimal: '.' | ','
  /** A semicolon where numbers have a comma. */
  readonly separator: ',' | ';'
}

export function marksOf(locale: string): CsvMarks {
  return locale === 'en' ? { decimal: '.', separator: ',' } : { decimal: ',', separator: ';' }
}

export const LOCALE_MEANING =
  'Language of format=spreadsheet, such as de: its decimal mark, semicolons between cells where that is a comma, and a byte order mark. Points and commas without that mark unless given.'
