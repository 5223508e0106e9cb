import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, replaceFile, unlessMissing } from '../../lake/disk/disk.ts'
import { addUsage, costOf, nothingUsed, type StorePrices, type StoreUsage } from './prices.ts'

/** Thrown if a request would cost more than the rest of the budget. */
export class BudgetSpent extends Error {
  constructor() {
    super('the budget is spent')
    this.name = 'BudgetSpent'
  }
}

/** Name of the file with the usage. */
export const SPENT = 'spent.ndjson'

/** Bytes that may have been sent but not received when a read broke off: the socket buffers of both ends. */
const ON_ITS_WAY = 1n << 26n

/**
 * Usage of a source since its first synchronization. Each request appends a line before it is sent, so a killed run is
 * counted too.
 */
export class Spending {
  readonly #file: FileHandle
  readonly #prices: StorePrices
  readonly #budget: bigint | undefined
  #before: StoreUsage
  #now = nothingUsed

  private constructor(file: FileHandle, before: StoreUsage, prices: StorePrices, budget: bigint | undefined) {
    this.#file = file
    this.#before = before
    this.#prices = prices
    this.#budget = budget
  }

  /** Continues the count of a folder. Without a budget, spending is unlimited. */
  static async open(folder: string, prices: StorePrices, budget: bigint | undefined): Promise<Spending> {
    const path = join(folder, SPENT)
    const before = await readSpent(folder)
    await makeFolder(folder)
    await replaceFile(path, `${lineOf(before)}\n`, `${path}.new`)
    return new Spending(await open(path, 'a'), before, prices, budget)
  }

  /** Usage of this run. */
  get now(): StoreUsage {
    return this.#now
  }

  /** Cost of all usage so far, in nano-dollars. */
  get total(): bigint {
    return costOf(addUsage(this.#before, this.#now), this.#prices)
  }

  /** Counts a listing before it is sent. Errors: `BudgetSpent`. */
  async list(): Promise<void> {
    await this.#take({ ...nothingUsed, lists: 1 })
  }

  /** Counts a read before it is sent, with all bytes that it may return. Errors: `BudgetSpent`. */
  async read(bytes: number): Promise<void> {
    await this.#take({ lists: 0, reads: 1, bytes: BigInt(bytes) })
  }

  /** Takes back the bytes that an interrupted read did not receive: all of them if the store answered with an error. */
  async giveBack(bytes: number, isReply: boolean): Promise<void> {
    const less = BigInt(bytes) - (isReply ? 0n : ON_ITS_WAY)
    if (less > 0n) await this.#note({ ...nothingUsed, bytes: -less })
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #take(usage: StoreUsage): Promise<void> {
    const cost = costOf(addUsage(addUsage(this.#before, this.#now), usage), this.#prices)
    if (this.#budget !== undefined && cost > this.#budget) throw new BudgetSpent()
    await this.#note(usage)
  }

  /** Count in memory first, so that concurrent requests do not spend the same money. */
  async #note(usage: StoreUsage): Promise<void> {
    this.#now = addUsage(this.#now, usage)
    await this.#file.appendFile(`${lineOf(usage)}\n`)
    await this.#file.datasync()
  }
}

/** Returns the usage of a source; zero without a file. An incomplete last line of a killed run does not count. */
export async function readSpent(folder: string): Promise<StoreUsage> {
  const text = (await readFile(join(folder, SPENT), 'utf8').catch(unlessMissing)) ?? ''
  return text.split('\n').reduce((sum, line) => {
    const [whole, lists, reads, bytes] = LINE.exec(line) ?? []
    if (whole === undefined) return sum
    return addUsage(sum, { lists: Number(lists), reads: Number(reads), bytes: BigInt(bytes ?? 0) })
  }, nothingUsed)
}

const LINE = /^\{"lists":(\d+),"reads":(\d+),"bytes":(-?\d+)\}$/

function lineOf({ lists, reads, bytes }: StoreUsage): string {
  return `{"lists":${lists},"reads":${reads},"bytes":${bytes}}`
}
