import type { ParamFault } from '../../base/errors.ts'
import { parameter, quoted } from '../../base/parameter-text.ts'
import { type ExportFormat, exportFormats } from '../../catalog/export-formats.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import { exportColumns, type FlatColumn } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'

/** Format of pages, the default. */
export const JSON_FORMAT = 'json'

export const formatNames: readonly string[] = [JSON_FORMAT, ...exportFormats.map(({ name }) => name)]

/** Fault of a request for a file without a file format. */
export const missingFormat: ParamFault = {
  param: 'format',
  message: `format is required; use ${exportFormats.map(({ name }) => name).join(', ')}`,
}

/** Parameter `format`; `json` means pages. */
export const formatChoice = parameter((text, wrong): ExportFormat | typeof JSON_FORMAT | undefined => {
  if (text === undefined || text === JSON_FORMAT) return text
  const format = exportFormats.find(({ name }) => name === text)
  return format ?? wrong(outsideOf(formatNames, [text]) ?? '')
})

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
