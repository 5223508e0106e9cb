import type { Resource } from '../catalog/resource.ts'
import type { Filters } from '../derive/filter-values.ts'
import { quoted, refuse } from '../derive/parameter-text.ts'
import { nearest } from '../derive/unknown-parameters.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'

type Names = readonly string[]

/**
 * Makes the check of filters on columns of few values, such as a type: a value that no row has is refused. The log tells the
 * values; without rows, or where it does not count every chunk, nothing is refused. Reads nothing.
 * Errors: `malformed_request` with the values that rows have, and the one that was probably meant.
 */
export function knownNames({ filters = {} }: Resource): (given: Filters, table: TableSnapshot) => void {
  const named = Object.entries(filters).filter(([, { names }]) => names !== undefined)
  const stored = new WeakMap<TableSnapshot, ReadonlyMap<string, Names | undefined>>()

  function storedIn(table: TableSnapshot): ReadonlyMap<string, Names | undefined> {
    const known =
      stored.get(table) ?? new Map(named.map(([param, { column }]) => [param, valuesOf(column, table)]))
    stored.set(table, known)
    return known
  }

  return (given, table) => {
    if (table.rows === 0) return
    for (const [param, { synonyms = {} }] of named) {
      const value = given[param]
      if (typeof value !== 'string') continue
      const names = storedIn(table).get(param)
      if (names === undefined || names.includes(value)) continue
      const synonym = new Map(Object.entries(synonyms)).get(value.toLowerCase())
      const meant = names.find((name) => name === synonym) ?? nearest(value, names)
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`
      const message = `${param} is ${quoted(value)}, which no record has; use one of ${names.join(', ')}${hint}`
      refuse([{ param, message }])
    }
  }
}

/** All values of a column of few in their order, by the log; undefined where the log does not tell of every chunk. */
function valuesOf(column: string, { files }: TableSnapshot): Names | undefined {
  const values = new Set<string>()
  for (const { rows, chunks } of files) {
    let counted = 0
    for (const chunk of chunks) {
      if (chunk.counts[column] !== undefined) counted += chunk.rows
      for (const value of Object.keys(chunk.counts[column] ?? {})) values.add(value)
    }
    if (counted !== rows) return undefined
  }
  return [...values].sort()
}
