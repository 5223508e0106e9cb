import type { ParamFault } from '../../base/errors.ts'
import { parameter, quoted } from '../../base/parameter-text.ts'
import { type ExportFormat, exportFormats, seriesFormats } from '../../catalog/export-formats.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import { exportColumns, type FlatColumn } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { locales } from '../../catalog/spreadsheet-locale.ts'

/** Format of pages, the default. */
const JSON_FORMAT = 'json'

/** Formats of files of an operation. */
export const fileFormatsOf = (operation: string) => (operation === 'series' ? seriesFormats : exportFormats)

const namesOf = (formats: readonly ExportFormat[]) => [JSON_FORMAT, ...formats.map(({ name }) => name)]

/** Values of the parameter `format` of an operation. */
export const formatNames = (operation: string): readonly string[] => namesOf(fileFormatsOf(operation))

/** Fault of a request for a file without a file format. */
export function missingFormat(operation: string): ParamFault {
  const names = fileFormatsOf(operation).map(({ name }) => name)
  return { param: 'format', message: `format is required; use ${names.join(', ')}` }
}

/** Checks of the parameters of files of an operation. */
export function fileChecks(operation: string) {
  return { format: formatChoice(operation), locale: localeParameter }
}

/** Parameter `locale` of CSV for spreadsheets. */
export const localeParameter = parameter((text, wrong) => {
  if (text === undefined || locales.includes(text)) return text
  return wrong(outsideOf(locales, [text]) ?? '')
})

/** Returns the fault of a language for another format. */
export function localeFaults(format: { readonly name: string } | undefined): readonly ParamFault[] {
  if (format?.name === 'spreadsheet') return []
  return [{ param: 'locale', message: 'locale is of format=spreadsheet; add that, or leave locale out' }]
}

/** Parameter `format` of an operation; `json` means no file. */
function formatChoice(operation: string) {
  const [formats, names] = [fileFormatsOf(operation), formatNames(operation)]
  return parameter((text, wrong): ExportFormat | typeof JSON_FORMAT | undefined => {
    if (text === undefined || text === JSON_FORMAT) return text
    const format = formats.find(({ name }) => name === text)
    return format ?? wrong(outsideOf(names, [text]) ?? '')
  })
}

/** Parameter `columns`: names of flat columns, separated by commas. */
export function columnsChoice(resource: Resource) {
  const columns = new Map(exportColumns(resource).map((column) => [column.name, column]))
  const names = [...columns.keys()]
  return parameter((text, wrong): readonly FlatColumn[] | undefined => {
    if (text === undefined) return undefined
    const chosen = text.split(',').map((name) => name.trim())
    const outside = outsideOf(names, chosen)
    if (outside !== undefined) return wrong(outside)
    const twice = chosen.find((name, index) => chosen.indexOf(name) !== index)
    if (twice !== undefined) return wrong(`has ${quoted(twice)} twice; name it once`)
    return chosen.flatMap((name) => columns.get(name) ?? [])
  })
}

/** Members of a checked query that differ between pages and files. */
interface PageOrFile {
  readonly format: ExportFormat | undefined
  readonly page: number
  readonly perPage: number
  readonly columns: readonly FlatColumn[] | undefined
  readonly coverage: boolean
}

/** Returns faults of page parameters in a request for a file, and of `columns` and `coverage` in one for a page. Defaults are never faults. */
export function exportFaults(
  { format, page, perPage, columns, coverage }: PageOrFile,
  defaults: Pick<PageOrFile, 'page' | 'perPage'>,
): readonly ParamFault[] {
  const fault = (param: string, sentence: string) => ({ param, message: `${param} ${sentence}` })
  if (format !== undefined) {
    const names = [
      ...(page === defaults.page ? [] : ['page']),
      ...(perPage === defaults.perPage ? [] : ['per_page']),
    ]
    return names.map((name) =>
      fault(name, `is of pages; ${format.name} is given as a whole, so leave it out`),
    )
  }
  const ofFiles = [...(columns === undefined ? [] : ['columns']), ...(coverage ? ['coverage'] : [])]
  const formats = exportFormats.map(({ name }) => `format=${name}`).join(', ')
  return ofFiles.map((name) => fault(name, `needs a file format; leave it out, or add one of ${formats}`))
}

/** Returns the fault of medians in a file, which has only rows. */
export function medianInFile(format: ExportFormat | undefined, hasMedian: boolean): readonly ParamFault[] {
  if (format === undefined || !hasMedian) return []
  return [{ param: 'median', message: `median is only in JSON; leave it or format=${format.name} out` }]
}
