import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { readJsonHint } from './hints/json-hint.ts'
import { type HintPredicate, outcomesOf } from './hints/predicate.ts'
import { readSqlHint } from './hints/sql-hint.ts'
import { loggedFile } from './logged-file.ts'
import type { TableQuery } from './query-body.ts'

type Hints = Pick<TableQuery, 'predicateHints' | 'jsonPredicateHints' | 'limitHint'>

/**
 * Selects the files that may have matching rows, and of these enough for the limit. Only rows that certainly
 * match count towards the limit, so a client that filters and limits again loses nothing.
 */
export function selectFiles({ logged }: TableSnapshot, hints: Hints): readonly string[] {
  if (logged === undefined) return []
  const { live, columns } = logged
  const { limitHint = Number.POSITIVE_INFINITY } = hints
  const where = predicateOf(hints)
  if (where.parts.length === 0 && limitHint === Number.POSITIVE_INFINITY) return [...live.keys()]
  const chosen: string[] = []
  let certainRows = 0
  for (const [path, add] of live) {
    if (certainRows >= limitHint) break
    const file = loggedFile(columns, add)
    const { yes, no, null: none } = outcomesOf(where, file)
    if (!yes) continue
    chosen.push(path)
    if (!no && !none) certainRows += file.rows ?? 0
  }
  return chosen
}

function predicateOf({
  predicateHints,
  jsonPredicateHints,
}: Hints): Extract<HintPredicate, { is: 'and' | 'or' }> {
  const json = jsonPredicateHints === undefined ? [] : [readJsonHint(jsonPredicateHints)]
  return { is: 'and', parts: [...predicateHints.map(readSqlHint), ...json] }
}
