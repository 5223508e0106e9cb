import { plainName, spellingsOf } from '../../base/values/plain-name.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { toCountPlan } from '../../catalog/query/to-plan.ts'
import { type Hit, pathOfHit, type SearchedTable } from '../../catalog/records/search-hit.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import { namesOf, type Resource, type Row } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { idReader } from '../records/entry.ts'
import type { TextRange } from './rows-by-text.ts'

/** A search text, its tables, and filters that limit the history of the client. */
export interface HitsRequest {
  readonly q: string
  readonly among: readonly SearchedTable[]
  readonly within: (resource: Resource) => Filters
}

/** A hit, and its identity within its kind. */
export interface RankedHit extends Hit {
  readonly identity: string
}

/** No text with a prefix sorts after the prefix followed by this code point. */
const LAST = '\u{10FFFF}'

/** True for a table small enough to stay in memory. */
export function isInMemory({ face }: SearchedTable): boolean {
  return Object.values(face.by).includes('title')
}

/** Ranges to read from a table; none for a table in memory. */
export function rangesOf(kind: SearchedTable, { q, within }: HitsRequest): readonly TextRange[] {
  if (isInMemory(kind)) return []
  const { resource, face } = kind
  const { where: predicates } = toCountPlan(resource, within(resource))
  return namesOf(face.by).flatMap((column) => {
    const columns = [...new Set([column, ...columnsOfHit(kind)])]
    const starts =
      face.by[column] === 'name' ? spellingsOf(q) : [spellWallet(resource.columns[column]?.wallet, q)]
    return starts.map((from): TextRange => ({ resource, column, from, to: from + LAST, columns, predicates }))
  })
}

/** Columns that a hit needs. */
export function columnsOfHit({ resource, face: { key, name, listedBy } }: SearchedTable): readonly string[] {
  if (listedBy !== undefined) return [key]
  return [
    key,
    resource.key ?? key,
    ...('id' in resource.columns ? ['id'] : []),
    ...(name === undefined ? [] : [name]),
  ]
}

/** Returns a function that makes hits of rows, found by one column. */
export function hitMaker(
  kind: SearchedTable,
  q: string,
  matched: string,
  at: Snapshot,
): (row: Row) => RankedHit {
  const { resource, face } = kind
  const isValue = face.listedBy !== undefined
  const idOf = isValue ? () => null : idReader(resource, at)
  const title = plainName(q)
  const whole = spellWallet(resource.columns[matched]?.wallet, q)
  return (row) => {
    const [text, key] = [String(row[matched]), String(row[face.key])]
    const name = row[face.name ?? ''] ?? null
    const identity = isValue ? key : String(row[resource.key ?? face.key])
    const isExact = text === whole || (face.by[matched] !== 'key' && plainName(text) === title)
    return {
      ...{ kind: face.kind, id: idOf(row), key, name: name === null ? null : String(name) },
      ...{ matched, text, isExact, path: pathOfHit(kind, identity), identity },
    }
  }
}
