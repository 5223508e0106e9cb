import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { loggedFile } from './logged-file.ts'
import { mayMatch } from './may-match.ts'
import type { TableQuery } from './query-body.ts'

type Hints = Pick<TableQuery, 'predicateHints' | 'jsonPredicateHints' | 'limitHint'>

/**
 * Selects the files that may have rows of a query. A limit counts only without predicates: which rows match
 * them is known to the client alone, which filters and limits again.
 */
export function selectFiles({ logged }: TableSnapshot, hints: Hints): readonly string[] {
  if (logged === undefined) return []
  const { predicateHints, jsonPredicateHints, limitHint = Number.POSITIVE_INFINITY } = hints
  const isFiltered = predicateHints.length > 0 || jsonPredicateHints !== undefined
  const predicate = readPredicate(jsonPredicateHints ?? '')
  const chosen: string[] = []
  let rows = 0
  for (const [path, add] of logged.live) {
    const file = loggedFile(logged.columns, add)
    if (!mayMatch(predicate, file)) continue
    if (!isFiltered && rows >= limitHint) break
    chosen.push(path)
    rows += file.rows ?? 0
  }
  return chosen
}

/** Returns undefined for a text that cannot be read. */
function readPredicate(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
