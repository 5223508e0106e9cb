import type { Resource } from '../catalog/resource.ts'
import type { Filters } from '../derive/filter-values.ts'
import { quoted, refuse } from '../derive/parameter-text.ts'
import { nearest } from '../derive/unknown-parameters.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'

type Names = ReadonlySet<string>

/**
 * Makes the check of filters by names, of which the archive may have more than the declaration: a name is known when it is
 * declared or when the table has it, which its log tells. One that is like none finds nothing. Reads nothing.
 * Errors: `malformed_request` with the known name that was probably meant.
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
    for (const [param, { names = [] }] of named) {
      const value = given[param]
      if (typeof value !== 'string' || names.includes(value)) continue
      const own = storedIn(table).get(param)
      if (own === undefined || own.has(value)) continue
      const meant = nearest(value, [...new Set([...names, ...own])].sort())
      if (meant === undefined) continue
      refuse([
        { param, message: `${param} is ${quoted(value)}, which no record has; did you mean ${meant}?` },
      ])
    }
  }
}

/** All values of a column of few, by the log; undefined where the log does not tell of every chunk. */
function valuesOf(column: string, { files }: TableSnapshot): Names | undefined {
  const values = new Set<string>()
  for (const { rows, counts } of files.flatMap((file) => file.chunks)) {
    const own = counts[column]
    if (own === undefined && rows > 0) return undefined
    for (const value of Object.keys(own ?? {})) values.add(value)
  }
  return values
}
