import { fail } from '../../base/errors.ts'
import { checkWritable, refuseUnwritableFolder } from '../../lake/disk/unwritable.ts'
import { writeSampleLedger } from '../../write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../../write/sample/write-hotspots.ts'
import { lateFolder, writeSampleNetwork } from '../../write/sample/write-sample-network.ts'
import type { Print } from '../terminal-text.ts'

export interface SampleFlags {
  readonly out: string
  readonly seed: string
  readonly hotspots: number
  readonly start?: string
  readonly days?: number
  readonly missingDay?: readonly string[]
  readonly missingManifest?: readonly string[]
  readonly lateFile?: readonly string[]
  readonly l1?: true
  readonly transactions?: number
  readonly blocks?: number
  readonly partRows?: number
}

const DEFAULT_DAYS = 30
const DEFAULT_TRANSACTIONS = 100_000

const ofOracleFiles = {
  days: '--days',
  missingDay: '--missing-day',
  missingManifest: '--missing-manifest',
  lateFile: '--late-file',
} as const
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
  const given = (names: Readonly<Record<string, string>>) =>
    Object.keys(flags).flatMap((name) => names[name] ?? [])[0]
  const [oracle, ledger] = [given(ofOracleFiles), given(ofLedger)]
  if (flags.l1 && oracle !== undefined) {
    fail('malformed_request', `${oracle} goes with oracle files; with --l1, use --blocks and --transactions`)
  }
  if (!flags.l1 && ledger !== undefined) {
    fail('malformed_request', `${ledger} goes with --l1; without it, use --days and --hotspots`)
  }
}

async function writeNetwork(flags: SampleFlags, print: Print): Promise<void> {
  const { out, days = DEFAULT_DAYS, missingDay = [], missingManifest = [], lateFile = [] } = flags
  const gaps = { missingDays: missingDay, missingManifests: missingManifest, lateFiles: lateFile }
  const oracle = await writeSampleNetwork({ ...flags, ...gaps, days })
  const { rows, files, bytes } = await writeHotspots(flags)
  print(
    `${oracle.files + files} files, ${oracle.rows} shares, ${rows.hotspots} hotspots, ${oracle.bytes + bytes} bytes in ${out}`,
  )
  if (oracle.lateFiles > 0) print(`${oracle.lateFiles} late files in ${lateFolder(out)}`)
}

async function writeLedger(flags: SampleFlags, print: Print): Promise<void> {
  const ledger = await writeSampleLedger({
    ...flags,
    transactions: flags.transactions ?? DEFAULT_TRANSACTIONS,
  })
  const { rows, files, bytes } = await writeHotspots(flags)
  for (const [table, count] of Object.entries({ ...ledger.rows, ...rows })) {
    const sums = Object.entries(ledger.sums[table as keyof typeof ledger.sums] ?? {})
    print([`${table}: ${count} rows`, ...sums.map(([column, sum]) => `${column} ${sum}`)].join(', '))
  }
  print(`${ledger.files + files} files, ${ledger.bytes + bytes} bytes in ${flags.out}`)
}
