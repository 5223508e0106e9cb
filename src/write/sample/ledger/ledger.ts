import { fail } from '../../../base/errors.ts'
import { checkOption, readDay } from '../epochs.ts'
import { members, ownerCount, type SampleNetwork } from '../hotspots.ts'

/** Height and first day of the real chain, which ended on 2023-04-18. */
const DEFAULT_BLOCKS = 1_820_000
const DEFAULT_START = '2019-07-29'
const DAY_SECONDS = 86_400
/** Block interval in half seconds; the default chain ends on the same day as the real one. */
const BLOCK_HALF_SECONDS = 129
const JITTER_SECONDS = 20

const MOST_BLOCKS = 100_000_000
const LEAST_TRANSACTIONS = 100
const MOST_TRANSACTIONS = 999_999_999
/** Smaller parts would need more open files than most systems allow. */
const LEAST_PART_ROWS = 100
const MOST_PART_ROWS = 999_999_999
const DEFAULT_PART_ROWS = 3_000_000

/** About the size of the real network; addresses are kept in memory. */
const MOST_ACCOUNTS = 1_000_000
const MOST_HOTSPOTS = 1_000_000

export const EPOCH_BLOCKS = 30
/** Number of epochs that gives every month of a small chain some transactions. */
const SPREAD_EPOCHS = 60
const LEAST_IN_EPOCH = 6
const USUAL_IN_EPOCH = 825

/** Rows per transaction; fewer actors and packets if there are few gateways. */
export const ACTORS = 4
export const REWARDS = 4
export const PACKETS = 1
export const BURNS = 1

/** Options of a sample ledger. */
export interface LedgerOptions {
  /**
   * Other tables follow: per transaction 4 actors, 4 rewards, 1 packet row and 1 burn; one account per 5 transactions,
   * or per owner if that is more.
   */
  readonly transactions: number
  /** 7, 7n and '7' are the same seed. */
  readonly seed: bigint | number | string
  /** Height of the chain; default: 1,820,000. */
  readonly blocks?: number
  /** Day of the first block, YYYY-MM-DD, UTC; default: 2019-07-29. */
  readonly start?: string
  /** Number of hotspots; those on the IoT network are the gateways. */
  readonly hotspots: number
  /** Most rows of one file of the archive; default: 3,000,000. */
  readonly partRows?: number
}

export interface Ledger extends SampleNetwork {
  readonly blocks: number
  readonly transactions: number
  readonly accounts: number
  readonly gateways: number
  readonly partRows: number
  /** Number of epochs of 30 blocks with transactions; blocks between them are omitted. */
  readonly epochs: number
  /** Seconds since 1970 of the first block. */
  readonly start: number
}

/** Checks options and adds defaults. Errors: `malformed_request`. */
export function ledgerOf(options: LedgerOptions): Ledger {
  const transactions = checkOption(
    'transactions',
    options.transactions,
    MOST_TRANSACTIONS,
    LEAST_TRANSACTIONS,
  )
  const blocks = checkOption('blocks', options.blocks ?? DEFAULT_BLOCKS, MOST_BLOCKS, EPOCH_BLOCKS)
  const { start = DEFAULT_START } = options
  const spread = Math.min(SPREAD_EPOCHS, Math.floor(transactions / LEAST_IN_EPOCH))
  const epochCount = Math.max(spread, Math.ceil(transactions / USUAL_IN_EPOCH))
  const hotspots = checkOption('hotspots', options.hotspots, MOST_HOTSPOTS)
  const ledger = {
    seed: String(options.seed),
    blocks,
    transactions,
    hotspots,
    accounts: Math.max(ownerCount(hotspots), Math.min(MOST_ACCOUNTS, Math.floor(transactions / 5))),
    gateways: members.iot.count(hotspots),
    partRows: checkOption(
      'part-rows',
      options.partRows ?? DEFAULT_PART_ROWS,
      MOST_PART_ROWS,
      LEAST_PART_ROWS,
    ),
    epochs: Math.min(epochCount, Math.floor(blocks / EPOCH_BLOCKS)),
    start: readDay('start', start) * DAY_SECONDS,
  }
  if (blockTime(ledger, blocks) > LAST_SECOND) {
    const sentence = `start is ${JSON.stringify(start)} and blocks is ${blocks}; the chain must end before the year 10000`
    fail('malformed_request', sentence)
  }
  return ledger
}

const LAST_SECOND = Date.UTC(9999, 11, 31) / 1000

/** Returns the time of a block in seconds since 1970. Blocks are about 64.5 seconds apart, in order. */
export function blockTime(ledger: Pick<Ledger, 'start'>, block: number): number {
  const jitter = (block * 7919) % JITTER_SECONDS
  return ledger.start + Math.floor(((block - 1) * BLOCK_HALF_SECONDS) / 2) + jitter
}

/** Returns the first block of an epoch, by number from 0. The first and last epoch of the chain are always included. */
export function firstBlockOf(ledger: Ledger, epoch: number): number {
  const slots = Math.floor(ledger.blocks / EPOCH_BLOCKS)
  return 1 + EPOCH_BLOCKS * Math.floor((epoch * (slots - 1)) / Math.max(1, ledger.epochs - 1))
}

/** Returns the number of transactions in all earlier epochs. */
export function transactionsBefore(ledger: Ledger, epoch: number): number {
  return Math.floor((epoch * ledger.transactions) / ledger.epochs)
}

const FOUNDERS = 0.1

/** Returns the share of gateways that exist at a block: a tenth at first, growing faster each day. */
export function grownShare(ledger: Ledger, block: number): number {
  return FOUNDERS + (1 - FOUNDERS) * (block / ledger.blocks) ** 2
}

/** Returns the number of accounts at a block: all owners of hotspots, and a growing share of the others. */
export function accountsAt(ledger: Ledger, block: number): number {
  const owners = ownerCount(ledger.hotspots)
  return owners + Math.ceil((ledger.accounts - owners) * grownShare(ledger, block))
}

/** Returns the block at which an account appears; the inverse of `accountsAt`. */
export function arrivalOfAccount(ledger: Ledger, index: number): number {
  const owners = ownerCount(ledger.hotspots)
  return index < owners ? 1 : arrivalBlock(ledger, index - owners, ledger.accounts - owners)
}

/** Returns the block at which an item appears, by index from 0; the inverse of `grownShare`. */
export function arrivalBlock(ledger: Ledger, index: number, count: number): number {
  const late = Math.max(0, (index + 1) / count - FOUNDERS) / (1 - FOUNDERS)
  return Math.max(1, Math.floor(ledger.blocks * Math.sqrt(late)))
}
