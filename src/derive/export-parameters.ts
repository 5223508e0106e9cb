import type { Resource } from '../catalog/resource.ts'
import type { ParamFault } from '../errors.ts'
import { type ExportFormat, exportFormats } from './export-formats.ts'
import { outsideOf } from './filter-readers.ts'
import { exportColumns, type FlatColumn } from './flat-columns.ts'
import { parameter, quoted, type RawQuery } from './parameter-text.ts'

/** Pages, as they are given without a format. */
export const JSON_FORMAT = 'json'

export const formatNames: readonly string[] = [JSON_FORMAT, ...exportFormats.map(({ name }) => name)]

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

/** Those of the parameters of pages that are given where a file is asked for, and of files where a page is. */
export function exportFaults(
  raw: RawQuery,
  format: ExportFormat | undefined,
  parameters: readonly string[],
): readonly ParamFault[] {
  const isGiven = (name: string) => parameters.includes(name) && raw[name] !== undefined && raw[name] !== ''
  if (format !== undefined) {
    return ['page', 'per_page'].filter(isGiven).map((param) => {
      return { param, message: `${param} is of pages; ${format.name} is given as a whole, so leave it out` }
    })
  }
  const names = exportFormats.map(({ name }) => `format=${name}`).join(', ')
  return ['columns', 'coverage'].filter(isGiven).map((param) => {
    return { param, message: `${param} is of files; use it with ${names}` }
  })
}
