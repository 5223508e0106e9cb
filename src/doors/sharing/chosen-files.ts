import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { readJsonHint } from './hints/json-hint.ts'
import { outcomesOf, type Predicate } from './hints/predicate.ts'
import { readSqlHint } from './hints/sql-hint.ts'
import { loggedFile } from './logged-file.ts'
import type { TableQuery } from './query-body.ts'

type Hints = Pick<TableQuery, 'predicateHints' | 'jsonPredicateHints' | 'limitHint'>

/**
 * The files of a table, by their paths in it, that a query needs: those that may have a row of which all predicates are true, and of
 * these as many as have the rows of the limit. Only rows of which all predicates are certainly true are counted, so a caller who
 * filters and limits what it reads loses nothing.
 */
export function chosenFiles({ logged }: TableSnapshot, hints: Hints): readonly string[] {
  if (logged === undefined) return []
  const { live, columns } = logged
  const { limitHint = Number.POSITIVE_INFINITY } = hints
  const where = predicateOf(hints)
  if (where.parts.length === 0 && limitHint === Number.POSITIVE_INFINITY) return [...live.keys()]
  const chosen: string[] = []
  let certain = 0
  for (const [path, add] of live) {
    if (certain >= limitHint) break
    const file = loggedFile(columns, add)
    const { yes, no, null: none } = outcomesOf(where, file)
    if (!yes) continue
    chosen.push(path)
    if (!no && !none) certain += file.rows ?? 0
  }
  return chosen
}

function predicateOf({
  predicateHints,
  jsonPredicateHints,
}: Hints): Extract<Predicate, { is: 'and' | 'or' }> {
  const json = jsonPredicateHints === undefined ? [] : [readJsonHint(jsonPredicateHints)]
  return { is: 'and', parts: [...predicateHints.map(readSqlHint), ...json] }
}
