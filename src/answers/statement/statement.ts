import { runInSlices } from '../../base/slices.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { prettyJsonSteps } from '../../base/values/pretty-json.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import type { Days } from '../../catalog/query/days.ts'
import type { Resource } from '../../catalog/resource.ts'
import { digestOf } from '../../lake/disk/disk.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'
import { fullReach, type Reach } from '../unknown/reach.ts'
import { CsvFiles, type FileRequest, type StatementPart } from './csv-files.ts'
import { type Holding, holdingsOf, type StatementHolder, walletsOf } from './holdings.ts'
import { hotspotRecords, type LedgerPart, type StatedHotspot } from './hotspot-records.ts'
import { ledgerFacts, ledgerRows } from './ledger-rows.ts'
import { type LedgerShare, ledgerTie, ledgerTotals } from './ledger-share.ts'
import { LedgerSums, paidToOthers } from './ledger-sums.ts'
import type { OwnPrices } from './lines/price-lines.ts'
import { missingIn, runsByToken } from './missing.ts'
import { namesWithGateways } from './names.ts'
import { notes } from './notes.ts'
import { sharesOf } from './reward-rows.ts'
import { LEDGER_SYMBOL, paysIn, shareTables } from './share-tables.ts'
import { openRead } from './statement-read.ts'
import { StatementSums, sorted } from './sums.ts'
import { added, type TieOut, tieOut, totalsOf, writeTieOut } from './tie-out.ts'
import { unknownKeys } from './unknown-keys.ts'

export interface StatementRequest extends FileRequest {
  readonly holder: StatementHolder
  readonly days: Days
  readonly tz: string
  /** Reach of the client; full unless given. */
  readonly reach?: Reach
}

/** The shares of each holding in one table, and their totals unless they are not compared. */
interface SharesOfTable {
  readonly resource: Resource
  readonly totals: Awaited<ReturnType<typeof totalsOf>> | undefined
  readonly rows: ReturnType<typeof sharesOf>
}

/**
 * Yields the files of a statement in parts and returns the summary, byte for byte the same for a snapshot.
 * Errors: `not_found` for an unknown owner or keys, and `lake_damaged` if totals differ from the rows.
 */
export async function* statementOf(
  repository: Repository,
  request: StatementRequest,
  at: Snapshot,
  signal?: AbortSignal,
): AsyncGenerator<StatementPart, JsonObject> {
  const { holder, days, tz, token: only, prices, locale, reach = fullReach } = request
  const read = openRead({ repository, at, tz, reach, signal })
  const holdings = await holdingsOf(read, holder, days)
  const wallets = walletsOf(holder)
  const ofAccounts = wallets.map(
    ({ account }): LedgerShare => ({ by: { account_address: account }, ...days }),
  )
  const isOfKeys = ofAccounts.length === 0
  const hasLedger = only === undefined || only === LEDGER_SYMBOL
  const tables = only === undefined ? shareTables : shareTables.filter((table) => paysIn(table, only))
  const ledgerShares = isOfKeys ? holdings.map(shareOf) : ofAccounts
  const { prices: blockPrices, gateways } = await ledgerFacts(read, hasLedger ? ledgerShares : [])
  const names = await namesWithGateways(read, holdings, gateways)
  const isCompared = only === undefined && at.table(l1Rewards).rows > 0
  const ledgerTotal = isCompared ? await ledgerTotals(read, ledgerShares) : undefined
  const [sums, ledger] = [new StatementSums(prices !== undefined), new LedgerSums()]
  const files = new CsvFiles(sums, request)
  const ranges = new Map<string, { hotspots: number; tie: TieOut }>()
  const stated: StatedHotspot[] = []

  /** Adds a comparison to earlier ones of the same range. */
  function tied(tie: TieOut | undefined, hotspots: number): readonly TieOut[] {
    if (tie === undefined) return []
    const tieKey = `${tie.network} ${tie.from} ${tie.to} ${tie.account}`
    const before = ranges.get(tieKey)
    ranges.set(tieKey, {
      hotspots: (before?.hotspots ?? 0) + hotspots,
      tie: before === undefined ? tie : added(before.tie, tie),
    })
    return [tie]
  }

  /** Writes L1 rewards of a share and returns their comparison with the series. */
  async function* ofLedger(share: LedgerShare): AsyncGenerator<StatementPart, LedgerPart> {
    const paid = new LedgerSums()
    for await (const batch of ledgerRows(read, share, names, blockPrices)) {
      for (const sum of [paid, ledger])
        for (const { key, facts, earned } of batch) sum.add(key, facts.account ?? '', earned)
      yield* files.write(batch, signal)
    }
    const { rows, earned, gateways: paidFor } = paid.total
    const tie = ledgerTotal && ledgerTie(read, share, earned, ledgerTotal(share))
    return { rows, earned, ties: tied(tie, paidFor.size) }
  }

  const shares: SharesOfTable[] = []
  for (const resource of tables) {
    const totals = only === undefined ? await totalsOf(read, resource, holdings) : undefined
    shares.push({ resource, totals, rows: sharesOf(read, resource, holdings, days, only) })
  }
  for (const holding of holdings) {
    const ties: TieOut[] = []
    let rows = 0
    for (const table of shares) {
      const ofHolding = (await table.rows.next()).value ?? []
      rows += ofHolding.filter(({ facts }) => facts.isStated).length
      yield* files.write(ofHolding, signal)
      if (table.totals !== undefined)
        ties.push(...tied(tieOut(read, table.resource, holding, ofHolding, table.totals(holding)), 1))
    }
    const l1 = hasLedger && isOfKeys ? yield* ofLedger(shareOf(holding)) : undefined
    stated.push({ holding, rows, ties, l1 })
  }
  if (hasLedger) for (const ofAccount of ofAccounts) yield* ofLedger(ofAccount)

  if (only !== undefined) return {}
  const accounts = new Set(wallets.map(({ account }) => account))
  const toOthers = isOfKeys ? undefined : await paidToOthers(read, holdings, days, accounts)
  const hotspots = hotspotRecords(stated, ledger)
  const unknown = await unknownKeys(read, holder, hotspots)
  const summary = {
    missing: await missingIn(read, days, sums, unknown),
    owners: wallets.map(({ owner, account }) => ({ owner, account_address: account })),
    ...{ from: days.first, to: days.last, tz, notes: notes(holder, holdings.length) },
    ...(locale !== undefined && { locale }),
    ...(prices !== undefined && { prices: pricesRecord(prices, sums) }),
    tokens: sums.toJson(),
    all_tokens: sums.allTokens(),
    totals: sorted(ranges).map(([, { hotspots: count, tie }]) => ({ ...writeTieOut(tie), hotspots: count })),
    l1: {
      ...ledger.total.record,
      accounts: [...ledger.accounts(true), ...(toOthers?.accounts(false) ?? [])],
      other_gateways: ledger.otherGateways(holdings, names),
    },
    ...{ hotspots, files: files.toJson(), snapshot: at.id },
  }
  return { ...summary, digest: digestOf(await runInSlices(prettyJsonSteps(summary), signal)) }
}

const pricesRecord = ({ currency, source, sha256, lines }: OwnPrices, { unvalued }: StatementSums) => ({
  ...{ currency, source, sha256, lines, missing: runsByToken(unvalued) },
})

const shareOf = ({ key, first, last }: Holding): LedgerShare => ({
  by: { gateway_address: key },
  ...{ first, last },
})
