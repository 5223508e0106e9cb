import type { ParamFault } from '../../base/errors.ts'
import { parameter, quoted } from '../../base/parameter-text.ts'
import { type ExportFormat, exportFormats } from '../../catalog/export-formats.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import { exportColumns, type FlatColumn } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'

/** Pages, as they are given without a format. */
export const JSON_FORMAT = 'json'

export const formatNames: readonly string[] = [JSON_FORMAT, ...exportFormats.map(({ name }) => name)]

/** The fault of a request for a file that names no format of files. */
export const noFormat: ParamFault = {
  param: 'format',
  message: `format is required; use ${exportFormats.map(({ name }) => name).join(', ')}`,
}

/** The format of a file; `json` for pages. */
export const formatChoice = parameter((text, wrong): ExportFormat | typeof JSON_FORMAT | undefined => {
  if (text === undefined || text === JSON_FORMAT) return text
  const format = exportFormats.find(({ name }) => name === text)
  return format ?? wrong(outsideOf(formatNames, [text]) ?? '')
})

/** Columns of a resource as a file, by their names with commas between them. */
export function columnsChoice(resource: Resource) {
  const columns = new Map(exportColumns(resource).map((column) => [column.name, column]))
  const names = [...columns.keys()]
  return parameter((text, wrong): readonly FlatColumn[] | undefined => {
    if (text === undefined) return undefined
    const given = text.split(',').map((name) => name.trim())
    const outside = outsideOf(names, given)
    if (outside !== undefined) return wrong(outside)
    const twice = given.find((name, index) => given.indexOf(name) !== index)
    if (twice !== undefined) return wrong(`has ${quoted(twice)} twice; name it once`)
    return given.flatMap((name) => columns.get(name) ?? [])
  })
}

/** A checked query as far as it says whether a list is given in pages or as a file. */
interface PageOrFile {
  readonly format: ExportFormat | undefined
  readonly page: number
  readonly perPage: number
  readonly columns: readonly FlatColumn[] | undefined
  readonly coverage: boolean
}

/** Faults of a page number or size beside a file, and of columns or coverage beside a page. A value that equals its default is none. */
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
