import type { OpenRequest } from '../answers/sql/process/requests.ts'
import { SqlSession } from '../answers/sql/sql-session.ts'
import { type CheckedFiles, openCheckedFiles } from '../lake/integrity/checked-files.ts'
import { fetcherOf } from './copies.ts'

/**
 * Returns a function that opens sessions in the process that runs statements. Verdicts on files are kept between
 * sessions.
 */
export function sqlSessions(): (request: OpenRequest) => Promise<SqlSession> {
  const checkedByLake = new Map<string, CheckedFiles>()
  return (request) => {
    const { lake, copyMb, snapshot: at } = request
    const bring = fetcherOf({ lake, lake_copy_mb: copyMb })
    const checkedFiles = checkedByLake.get(lake) ?? openCheckedFiles({ lake, bring })
    checkedByLake.set(lake, checkedFiles)
    return SqlSession.open({ ...request, at, checkedFiles })
  }
}
