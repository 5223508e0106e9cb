import { fail } from '../../../base/errors.ts'
import { checkOption, readDay } from '../epochs.ts'
import { members, ownerCount, type SampleNetwork } from '../hotspots.ts'

/** Height and first day of the real chain, which lived until 2023-04-18. */
const DEFAULT_BLOCKS = 1_820_000
const DEFAULT_START = '2019-07-29'
const DAY_SECONDS = 86_400
/** Half seconds, so that the default chain ends on the day on which the real one did. */
const BLOCK_HALF_SECONDS = 129
const JITTER_SECONDS = 20

const MOST_BLOCKS = 100_000_000
const LEAST_TRANSACTIONS = 100
const MOST_TRANSACTIONS = 999_999_999
/** Fewer would need more open files at once than most systems allow. */
const LEAST_PART_ROWS = 100
const MOST_PART_ROWS = 999_999_999
const DEFAULT_PART_ROWS = 3_000_000

/** About as many as the real network had; addresses are kept in memory. */
const MOST_ACCOUNTS = 1_000_000
const MOST_HOTSPOTS = 1_000_000

export const EPOCH_BLOCKS = 30
/** Enough epochs that a small chain, too, has some in every month. */
const SPREAD_EPOCHS = 60
const LEAST_IN_EPOCH = 6
const USUAL_IN_EPOCH = 825

/** Rows of each kind for one transaction; actors and packets are fewer when there are few gateways. */
export const ACTORS = 4
export const REWARDS = 4
export const PACKETS = 1
export const BURNS = 1

/** Options of a sample ledger. */
export interface LedgerOptions {
  /** The rest follows: 4 actors, 4 rewards, 1 packet row and 1 burn each, and an account for 5 or for each owner. */
  readonly transactions: number
  /** 7, 7n and '7' are the same seed. */
  readonly seed: bigint | number | string
  /** Height of the chain; 1,820,000 when left out. */
  readonly blocks?: number
  /** Day of the first block, YYYY-MM-DD, UTC; 2019-07-29 when left out. */
  readonly start?: string
  /** Hotspots of the network: those of them that are on the IoT network are the gateways. */
  readonly hotspots: number
  /** The most rows of one file of the archive; 3,000,000 when left out. */
  readonly partRows?: number
}

export interface Ledger extends SampleNetwork {
  readonly blocks: number
  readonly transactions: number
  readonly accounts: number
  readonly gateways: number
  readonly partRows: number
  /** Epochs of 30 blocks that have transactions; the chain between them is left out. */
  readonly epochs: number
  /** Epoch seconds of the first block. */
  readonly start: number
}

/** Checks options and fills them up. Errors: malformed_request. */
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

/** Epoch seconds of a block; later blocks are later, about 64.5 seconds each. */
export function blockTime(ledger: Pick<Ledger, 'start'>, block: number): number {
  const jitter = (block * 7919) % JITTER_SECONDS
  return ledger.start + Math.floor(((block - 1) * BLOCK_HALF_SECONDS) / 2) + jitter
}

/** First block of an epoch, by its number from 0: the first and the last epoch of the chain are always there. */
export function firstBlockOf(ledger: Ledger, epoch: number): number {
  const slots = Math.floor(ledger.blocks / EPOCH_BLOCKS)
  return 1 + EPOCH_BLOCKS * Math.floor((epoch * (slots - 1)) / Math.max(1, ledger.epochs - 1))
}

/** Transactions of all epochs before the one of this number. */
export function transactionsBefore(ledger: Ledger, epoch: number): number {
  return Math.floor((epoch * ledger.transactions) / ledger.epochs)
}

const FOUNDERS = 0.1

/** Share of the gateways that are there at a block: a tenth from the first day, and ever more each day. */
export function grownShare(ledger: Ledger, block: number): number {
  return FOUNDERS + (1 - FOUNDERS) * (block / ledger.blocks) ** 2
}

/** Accounts that are there at a block: the owners of hotspots from the first day, and of the others ever more. */
export function accountsAt(ledger: Ledger, block: number): number {
  const owners = ownerCount(ledger.hotspots)
  return owners + Math.ceil((ledger.accounts - owners) * grownShare(ledger, block))
}

/** The block at which an account came; the other way round from `accountsAt`. */
export function arrivalOfAccount(ledger: Ledger, index: number): number {
  const owners = ownerCount(ledger.hotspots)
  return index < owners ? 1 : arrivalBlock(ledger, index - owners, ledger.accounts - owners)
}

/** The block at which somebody came, by index from 0; the other way round from `grownShare`. */
export function arrivalBlock(ledger: Ledger, index: number, count: number): number {
  const late = Math.max(0, (index + 1) / count - FOUNDERS) / (1 - FOUNDERS)
  return Math.max(1, Math.floor(ledger.blocks * Math.sqrt(late)))
}
