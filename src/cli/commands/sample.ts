import { fail } from '../../errors.ts'
import { checkWritable, refuseUnwritableFolder } from '../../lake/unwritable.ts'
import { writeSampleLedger } from '../../sample/l1-write-ledger.ts'
import { writeSampleNetwork } from '../../sample/write-sample-network.ts'
import type { Print } from '../terminal-text.ts'

export interface SampleFlags {
  readonly out: string
  readonly seed: string
  readonly start?: string
  readonly hotspots?: number
  readonly days?: number
  readonly l1?: true
  readonly transactions?: number
  readonly blocks?: number
  readonly partRows?: number
}

const DEFAULT_DAYS = 30
const DEFAULT_HOTSPOTS = 1000
const DEFAULT_TRANSACTIONS = 100_000

const ofLedger = { transactions: '--transactions', blocks: '--blocks', partRows: '--part-rows' } as const

/** Writes a sample and says what there is. Errors: malformed_request, lake_unwritable. */
export async function writeSample(flags: SampleFlags, print: Print): Promise<void> {
  checkFlags(flags)
  try {
    await checkWritable(flags.out)
    await (flags.l1 ? writeLedger(flags, print) : writeNetwork(flags, print))
  } catch (error) {
    refuseUnwritableFolder(error, flags.out)
  }
}

/** A flag of the other kind of sample would do nothing. */
function checkFlags(flags: SampleFlags): void {
  if (flags.l1 && flags.days !== undefined) {
    fail('malformed_request', '--days goes with oracle files; with --l1, use --blocks and --transactions')
  }
  const names = Object.keys(ofLedger) as (keyof typeof ofLedger)[]
  const name = names.find((candidate) => flags[candidate] !== undefined)
  if (!flags.l1 && name !== undefined) {
    fail('malformed_request', `${ofLedger[name]} goes with --l1; without it, use --days and --hotspots`)
  }
}

async function writeNetwork(flags: SampleFlags, print: Print): Promise<void> {
  const { out, seed, start, days = DEFAULT_DAYS, hotspots = DEFAULT_HOTSPOTS } = flags
  const options = { out, seed, days, hotspots, ...(start === undefined ? {} : { start }) }
  const summary = await writeSampleNetwork(options)
  print(`${summary.files} files, ${summary.rows} shares, ${summary.bytes} bytes in ${out}`)
}

async function writeLedger(flags: SampleFlags, print: Print): Promise<void> {
  const summary = await writeSampleLedger({
    ...flags,
    transactions: flags.transactions ?? DEFAULT_TRANSACTIONS,
  })
  for (const [table, rows] of Object.entries(summary.rows)) {
    const sums = Object.entries(summary.sums[table as keyof typeof summary.sums] ?? {})
    print([`${table}: ${rows} rows`, ...sums.map(([column, sum]) => `${column} ${sum}`)].join(', '))
  }
  print(`${summary.files} files, ${summary.bytes} bytes in ${flags.out}`)
}
