import { type Earnings, type EarningsRequest, earningsOf } from '../../answers/earnings/earnings.ts'
import { earningsFile } from '../../answers/earnings/earnings-file.ts'
import type { EarningsFormat } from '../../answers/earnings/earnings-format.ts'
import { earningsSummary } from '../../answers/earnings/earnings-summary.ts'
import type { Repository } from '../../answers/repository.ts'
import { csvName } from '../../answers/statement/csv-files.ts'
import { statementOf } from '../../answers/statement/statement.ts'
import { fullReach } from '../../answers/unknown/reach.ts'
import { faultOfKeyList } from '../../catalog/query/series-parameters.ts'
import { refuseList } from '../../doors/contract/body-lists.ts'
import { earningsQuery } from '../../doors/contract/earnings-query.ts'
import { readStatementLists } from '../../doors/contract/statement-body.ts'
import { statementQuery } from '../../doors/contract/statement-query.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type {
  EarningsFile,
  EarningsFileOptions,
  EarningsOptions,
  Reads,
  StatementFiles,
  StatementOptions,
} from './api.ts'
import type { CallOptions } from './calls.ts'
import { plainValue } from './plain-value.ts'
import { queryText } from './query-text.ts'
import { type SnapshotOf, signalOf } from './table-reads.ts'

interface OpenEarnings {
  readonly earnings: Earnings
  readonly request: EarningsRequest & { readonly format: EarningsFormat; readonly locale: string | undefined }
  readonly at: Snapshot
  readonly signal: AbortSignal
}

/** Returns the reads of statements and earnings. */
export function payReads(
  repository: Repository,
  snapshotOf: SnapshotOf,
): Pick<Reads, 'earnings' | 'earningsFile' | 'statement'> {
  async function openEarnings(query: EarningsOptions, options: CallOptions): Promise<OpenEarnings> {
    const signal = signalOf(options)
    const { hotspotKeys, ...parameters } = query
    const fault = hotspotKeys && faultOfKeyList(hotspotKeys)
    if (fault !== undefined) refuseList('hotspotKeys', fault)
    const { owner, texts, ...rest } = earningsQuery(queryText(parameters), true, () => hotspotKeys)
    const request = { ...rest, holder: { owner, texts }, reach: fullReach }
    const at = await snapshotOf(signal)
    return { earnings: await earningsOf(repository, request, at, signal), request, at, signal }
  }

  return {
    async earnings(query, options = {}) {
      const { earnings, request, at, signal } = await openEarnings(query, options)
      const { head, rows } = await earningsSummary(earnings, request, at, signal)
      return plainValue({ ...head, rows }) as Awaited<ReturnType<Reads['earnings']>>
    },

    async earningsFile(query: EarningsFileOptions, options: CallOptions = {}): Promise<EarningsFile> {
      const { earnings, request, signal } = await openEarnings(query, options)
      const { name, rows, bytes } = earningsFile(earnings, request, request.format, signal)
      return { name, rows, bytes: bytes() }
    },

    async statement(query: StatementOptions, options: CallOptions = {}): Promise<StatementFiles> {
      const signal = signalOf(options)
      const { owners, hotspotKeys, prices: lines, ...parameters } = query
      const { owner, days, tz, locale } = statementQuery(queryText(parameters), false)
      const lists = { owners, hotspot_keys: hotspotKeys, prices: lines }
      const request = { ...readStatementLists(lists, owner), days, tz, locale }
      const parts = statementOf(repository, request, await snapshotOf(signal), signal)
      const files = new Map<string, Uint8Array[]>()
      for (let part = await parts.next(); ; part = await parts.next()) {
        if (part.done) {
          const named = [...files].map(([token, bytes]) => [csvName(token), Buffer.concat(bytes)])
          return { summary: plainValue(part.value), files: Object.fromEntries(named) } as StatementFiles
        }
        const { token, bytes } = part.value
        const pieces = files.get(token) ?? []
        pieces.push(bytes)
        files.set(token, pieces)
      }
    },
  }
}
