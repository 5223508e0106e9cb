import { getOrMake } from '../../../base/maps.ts'
import { type NameOf, unchangedName } from '../../../lake/integrity/file-verdicts.ts'
import type { DigestedFile } from '../../../lake/integrity/verdict.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { Statement } from '../../sql/compile.ts'

/** Renames the files of a statement for opening. */
export function renameFiles(statement: Statement, nameOf: NameOf): Statement {
  if (nameOf === unchangedName) return statement
  const values = statement.values.map((bound) =>
    bound.kind === 'files' ? { ...bound, value: bound.value.map(nameOf) } : bound,
  )
  return { ...statement, values }
}

const byPath = new WeakMap<TableSnapshot, ReadonlyMap<string, DigestedFile>>()

/** Data files of a table by path. Errors: Error for a path outside the table. */
export function filesNamed(paths: Iterable<string>, table: TableSnapshot): readonly DigestedFile[] {
  const tableFiles = getOrMake(byPath, table, () => new Map(table.files.map((file) => [file.path, file])))
  return [...paths].map((path) => {
    const file = tableFiles.get(path)
    if (file === undefined) throw new Error(`${path} is not a data file of ${table.resource.name}`)
    return file
  })
}
