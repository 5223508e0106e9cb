import type { Unknown } from '../answers/unknown/unknown.ts'
import { quoted, refuse } from '../base/parameter-text.ts'
import { nearest } from '../base/unknown-parameters.ts'
import type { Filters } from '../catalog/query/filter-values.ts'
import type { Resource } from '../catalog/resource.ts'
import type { TableSnapshot } from '../lake/snapshot/snapshot.ts'

type Names = readonly string[]

type ValuesOfFew = (given: Filters, table: TableSnapshot) => readonly OutsideName[]

interface OutsideName {
  readonly param: string
  readonly value: string
  /** Values in the rows of the table. */
  readonly names: Names
  readonly synonyms: Readonly<Record<string, string>>
}

/**
 * Finds filter values that no row has, for columns with few values such as a type. Reads only the log. Finds nothing in
 * an empty table, or if the log lacks the counts of a chunk.
 */
function outsideNames({ filters = {} }: Resource): ValuesOfFew {
  const named = Object.entries(filters).filter(([, { names }]) => names !== undefined)
  const stored = new WeakMap<TableSnapshot, ReadonlyMap<string, Names | undefined>>()

  function storedIn(table: TableSnapshot): ReadonlyMap<string, Names | undefined> {
    const names =
      stored.get(table) ?? new Map(named.map(([param, { column }]) => [param, valuesOf(column, table)]))
    stored.set(table, names)
    return names
  }

  return (given, table) => {
    if (table.rows === 0) return []
    return named.flatMap(([param, { synonyms = {} }]) => {
      const value = given[param]
      if (typeof value !== 'string') return []
      const names = storedIn(table).get(param)
      return names === undefined || names.includes(value) ? [] : [{ param, value, names, synonyms }]
    })
  }
}

/** Creates a check of filter values. Errors: `malformed_request` with the existing values and the most similar one. */
export function knownNames(resource: Resource): (given: Filters, table: TableSnapshot) => void {
  const outside = outsideNames(resource)
  return (given, table) => {
    for (const { param, value, names, synonyms } of outside(given, table)) {
      const synonym = new Map(Object.entries(synonyms)).get(value.toLowerCase())
      const meant = names.find((name) => name === synonym) ?? nearest(value, names)
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`
      const message = `${param} is ${quoted(value)}, which no record has; use one of ${names.join(', ')}${hint}`
      refuse([{ param, message }])
    }
  }
}

/** Returns the names that no row has, by parameter. GraphQL lists report them instead of an error. */
export function unknownNames(resource: Resource): (given: Filters, table: TableSnapshot) => Unknown {
  const outside = outsideNames(resource)
  const closed = Object.entries(resource.filters ?? {}).flatMap(([param, { column }]) => {
    const { choices } = resource.columns[column] ?? {}
    return choices === undefined ? [] : [{ param, choices }]
  })
  return (given, table) => {
    const unknown: Record<string, Names> = {}
    for (const { param, value } of outside(given, table)) unknown[param] = [value]
    for (const { param, choices } of closed) {
      const values = [given[param] ?? []].flat().map(String)
      const unlisted = values.filter((value) => !choices.includes(value))
      if (unlisted.length > 0) unknown[param] = unlisted
    }
    return unknown
  }
}

/** Returns the sorted values of a column from the log; undefined if the log lacks the counts of a chunk. */
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
