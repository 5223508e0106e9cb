import { fail } from '../../base/errors.ts'
import { quoted, type RawQuery, refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { readCell } from '../../base/values/h3-cell-text.ts'
import { cellHint } from '../../catalog/query/filter-readers.ts'

/** Path below the prefix; the cell follows. */
export const cellsPath = '/h3-cells'

const ADVICE =
  'use an H3 cell, in hexadecimal digits such as 8928308280fffff or as a decimal integer such as 617700169958293503'

/** Parses the cell of a path. Errors: `malformed_request` for any other text, and for every parameter, since the operation has none. */
export function cellQuery(id: string, raw: RawQuery, refusesUnknown = true): bigint {
  const cell = readCell(id)
  const unknown = refusesUnknown ? unknownParameters(Object.keys(raw), []) : []
  const wrong = { param: 'id', message: `id is ${quoted(id)}; ${ADVICE}${cellHint('cell', id)}` }
  refuse(cell === undefined ? [wrong, ...unknown] : unknown)
  return cell ?? fail('internal', 'a text that is no cell was not refused')
}
