import { fail } from '../../errors.ts'
import type { CheckedFiles } from '../../integrity/checked-files.ts'
import { type NameOf, ownName } from '../../integrity/known-files.ts'
import type { DigestedFile } from '../../integrity/verdict.ts'
import type { TableSnapshot } from '../../lake/snapshot.ts'
import type { Statement } from '../sql/compile.ts'

/** The statement with its files under the names by which they are to be opened. */
export function withNames(statement: Statement, nameOf: NameOf): Statement {
  if (nameOf === ownName) return statement
  const values = statement.values.map((bound) =>
    bound.kind === 'files' ? { ...bound, value: (bound.value as readonly string[]).map(nameOf) } : bound,
  )
  return { ...statement, values }
}

const byPath = new WeakMap<TableSnapshot, ReadonlyMap<string, DigestedFile>>()

/** Files by their paths: data files of a table, or derived from it. Errors: `lake_damaged` for those that are derived no more. */
export function filesNamed(
  paths: Iterable<string>,
  table: TableSnapshot,
  { derived }: Pick<CheckedFiles, 'derived'>,
): readonly DigestedFile[] {
  const own = byPath.get(table) ?? new Map(table.files.map((file) => [file.path, file]))
  byPath.set(table, own)
  return [...paths].map((path) => {
    const file = own.get(path) ?? derived.get(path)
    return (
      file ??
      fail('lake_damaged', `${path} is used no longer, since it is damaged or was made of an older version.`)
    )
  })
}
