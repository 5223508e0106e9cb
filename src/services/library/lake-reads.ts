import type { Filters } from '../../catalog/query/filter-values.ts'
import { hitsRecord } from '../../catalog/records/search-hit.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import { searchQuery } from '../../doors/contract/search-query.ts'
import { statusSchema } from '../../doors/contract/status-query.ts'
import { specifiedDialect } from '../../doors/dialect/dialect.ts'
import { searchableBy } from '../../doors/gate/searchable.ts'
import { readStatusCoverages, statusOf } from '../../doors/rest/status.ts'
import type { Services } from '../services.ts'
import type { SqlService } from '../sql.ts'
import type { Reads, SqlCallOptions } from './api.ts'
import type { CallOptions } from './calls.ts'
import { payReads } from './pay-reads.ts'
import { plainValue } from './plain-value.ts'
import { queryText } from './query-text.ts'
import { typedRows } from './sql-rows.ts'
import { type SnapshotOf, signalOf, tableReads } from './table-reads.ts'

/** Returns all reads of the snapshots that `snapshotOf` gives. */
export function lakeReads({ repository }: Services, sqlService: SqlService, snapshotOf: SnapshotOf): Reads {
  const checkStatus = statusSchema(specifiedDialect.queries)
  const allowed = (_resource: Resource, filters: Filters) => ({ filters, from: undefined })
  const searchable = searchableBy(resources, { features: undefined, allowed })

  const reads = {
    async coverage(query: object = {}, options: CallOptions = {}) {
      const signal = signalOf(options)
      const checked = checkStatus(queryText(query))
      const at = await snapshotOf(signal)
      await readStatusCoverages(repository.coverages, at, signal)
      return plainValue(statusOf(at, repository.coverages, checked, allowed))
    },

    async search(text: string, options: CallOptions = {}) {
      const signal = signalOf(options)
      const { q } = searchQuery({ q: text })
      const hits = await repository.hits.find({ q, ...searchable }, await snapshotOf(signal), signal)
      return plainValue(hitsRecord(q, hits, '/v1/net'))
    },

    async *sql(statement: string, options: SqlCallOptions = {}) {
      const signal = signalOf(options)
      const session = await sqlService.open(await snapshotOf(signal), signal)
      try {
        const checked = await session.check(statement, {}, signal)
        yield* typedRows(checked.columns, session.rows(checked, signal, options.values))
      } finally {
        await session.close()
      }
    },
  }
  const pay = payReads(repository, snapshotOf)
  return { ...tableReads(repository, resources, snapshotOf), ...reads, ...pay } as unknown as Reads
}
