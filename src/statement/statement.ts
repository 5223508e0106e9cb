import { createHash } from 'node:crypto'
import { l1Rewards } from '../catalog/l1/rewards.ts'
import type { Days } from '../derive/days.ts'
import type { JsonObject } from '../derive/json-writer.ts'
import { prettyJson } from '../derive/pretty-json.ts'
import { LEDGER_TOKEN } from '../derive/series-record.ts'
import { digestOf } from '../lake/disk.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Repository } from '../repository/repository.ts'
import { csvLines } from './csv.ts'
import { type Holder, type Holding, holdingsOf } from './holdings.ts'
import { type BlockPrices, blockPrices, ledgerRows } from './ledger-rows.ts'
import { ledgerTie } from './ledger-tie.ts'
import { missingIn } from './missing.ts'
import { notes } from './notes.ts'
import { paysIn, type RewardRow, shareRows, shareTables, tokenNames } from './reward-rows.ts'
import { StatementSums, sorted } from './sums.ts'
import { added, Comparison, type TieOut, toldTieOut } from './tie-out.ts'

export interface StatementRequest {
  readonly holder: Holder
  readonly days: Days
  readonly tz: string
  /** The one token whose file is wanted; then nothing is compared with totals, and the summary is of that file alone. */
  readonly token?: string
}

/** Bytes of the CSV of one token; those of one token, one after the other, are its file. */
export interface StatementPart {
  readonly token: string
  readonly bytes: Buffer
}

/** The name of the file of a token. */
export const csvName = (token: string) => `rewards-${token}.csv`
/** The names that files may have. */
export const csvNames: readonly string[] = tokenNames.map(csvName)

/**
 * Makes a statement: yields its files part by part, and gives the summary. The same request of the same snapshot gives the
 * same bytes. Errors: `not_found`, and `lake_damaged` when totals are not the sums of the rows.
 */
export async function* statementOf(
  repository: Repository,
  { holder, days, tz, token: only }: StatementRequest,
  at: Snapshot,
  signal?: AbortSignal,
): AsyncGenerator<StatementPart, JsonObject> {
  const holdings = await holdingsOf(repository, holder, days, at, signal)
  const hasLedger = only === undefined || only === LEDGER_TOKEN
  const tables = only === undefined ? shareTables : shareTables.filter((table) => paysIn(table, only))
  const prices: BlockPrices = hasLedger ? await blockPrices(repository, holdings, tz, at, signal) : new Map()
  const sums = new StatementSums()
  const files = new Map<
    string,
    { rows: number; bytes: number; readonly hash: ReturnType<typeof createHash> }
  >()
  const ranges = new Map<string, { hotspots: number; tie: TieOut }>()
  const unknown: string[] = []
  const hotspots: JsonObject[] = []

  async function* written(rows: readonly RewardRow[]): AsyncGenerator<StatementPart> {
    for (const token of new Set(rows.map((row) => row.token))) {
      if (only !== undefined && token !== only) continue
      const own = rows.filter((row) => row.token === token)
      for (const row of own) sums.add(row)
      const file = files.get(token) ?? { rows: 0, bytes: 0, hash: createHash('sha256') }
      const bytes = await csvLines(own, file.rows === 0)
      files.set(token, file)
      file.rows += own.length
      file.bytes += bytes.length
      file.hash.update(bytes)
      yield { token, bytes }
    }
  }

  function tied(tie: TieOut): void {
    const place = `${tie.network} ${tie.from} ${tie.to}`
    const before = ranges.get(place)
    ranges.set(place, {
      hotspots: (before?.hotspots ?? 0) + 1,
      tie: before === undefined ? tie : added(before.tie, tie),
    })
  }

  for (const holding of holdings) {
    const totals: TieOut[] = []
    let rows = 0
    for (const resource of tables) {
      const comparison = new Comparison(resource)
      for await (const batch of shareRows(repository, resource, holding, tz, at, signal)) {
        for (const row of batch) comparison.add(row)
        const stated = batch.filter(({ isStated }) => isStated)
        rows += stated.length
        yield* written(stated)
      }
      if (only !== undefined) continue
      totals.push(await comparison.with(repository, holding, tz, at, signal))
    }
    let ledger = 0n
    const ledgerBatches = hasLedger ? ledgerRows(repository, holding, prices, tz, at, signal) : []
    for await (const batch of ledgerBatches) {
      rows += batch.length
      ledger += batch.reduce((sum, { earned }) => sum + earned, 0n)
      yield* written(batch)
    }
    const ofLedger = only === undefined && at.table(l1Rewards).rows > 0
    const tie = ofLedger ? await ledgerTie(repository, holding, ledger, tz, at, signal) : undefined
    if (tie !== undefined) totals.push(tie)
    for (const own of totals) tied(own)
    if (holding.name === null && rows === 0) unknown.push(holding.key)
    hotspots.push(toldHotspot(holding, rows, totals, ledger))
  }

  const summary = {
    missing: await missingIn(repository, days, tz, at, sums, unknown, signal),
    ...('owner' in holder && { owner: holder.owner }),
    ...{ from: days.first, to: days.last, tz, notes: notes(holder) },
    tokens: sums.told(),
    totals: sorted(ranges).map(([, { hotspots: count, tie }]) => ({ ...toldTieOut(tie), hotspots: count })),
    hotspots,
    files: sorted(files).map(([token, { rows, bytes, hash }]) => ({
      ...{ name: csvName(token), token, rows, bytes, sha256: hash.digest('hex') },
    })),
    snapshot: at.id,
  }
  return { ...summary, digest: digestOf(prettyJson(summary)) }
}

function toldHotspot(
  { key, name, first, last }: Holding,
  rows: number,
  totals: readonly TieOut[],
  ledger: bigint,
): JsonObject {
  return {
    ...{ hotspot_key: key, hotspot_name: name, from: first, to: last, rows },
    totals: totals.map(toldTieOut),
    earned_on_l1: String(ledger),
  }
}
