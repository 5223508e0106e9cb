import type { Command } from 'commander'
import { fail } from '../../base/errors.ts'
import { checkWritable, refuseUnwritableFolder } from '../../lake/disk/unwritable.ts'
import { writeSampleLedger } from '../../write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../../write/sample/write-hotspots.ts'
import { lateFolder, writeSampleNetwork } from '../../write/sample/write-sample-network.ts'
import { localPath, repeated, wholeNumber } from '../flags/flag-values.ts'
import { print } from '../terminal-text.ts'

export function addSampleCommand(program: Command): void {
  program
    .command('sample')
    .description(
      'Write a made-up network: the oracle files of its days, its makers and hotspots, or with --l1 its past, the ledger archive. ' +
        'Both belong together when --seed and --hotspots are the same, and the same flags write the same bytes.',
    )
    .requiredOption('--out <DIR>', 'folder to write to', localPath)
    .option('--seed <S>', 'seed', '1')
    .option('--start <DATE>', 'first day, YYYY-MM-DD (default: 2025-01-15, with --l1 2019-07-29)')
    .option(
      '--hotspots <N>',
      'hotspots; of ten, seven are on the IoT network, two on the mobile one, and one on both',
      wholeNumber,
      1000,
    )
    .option('--days <N>', 'days of oracle files (default: 30)', wholeNumber)
    .option(
      '--missing-day <DATE>',
      'a rewarded day without any file, neither shares nor manifests; may be repeated',
      repeated,
    )
    .option(
      '--missing-manifest <DATE>',
      'a rewarded day whose manifests, of both networks, are not written; may be repeated',
      repeated,
    )
    .option(
      '--late-file <DATE>',
      'a rewarded day whose last file of shares, of each network, is written to <DIR>-late, to be ingested later; may be repeated',
      repeated,
    )
    .option('--l1', 'write the ledger archive, makers and hotspots, not oracle files')
    .option(
      '--transactions <N>',
      'with --l1: transactions; all other tables follow (default: 100000)',
      wholeNumber,
    )
    .option('--blocks <N>', 'with --l1: height of the chain (default: 1820000)', wholeNumber)
    .option('--part-rows <N>', 'with --l1: the most rows of one file (default: 3000000)', wholeNumber)
    .action((flags: SampleFlags) => writeSample(flags))
}

interface SampleFlags {
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
const ofOracleFiles = ['days', 'missingDay', 'missingManifest', 'lateFile']
const ofLedger = ['transactions', 'blocks', 'partRows']

/** Writes a sample and prints its size. Errors: `malformed_request`, `lake_unwritable`. */
async function writeSample(flags: SampleFlags): Promise<void> {
  checkFlags(flags)
  try {
    await checkWritable(flags.out)
    await (flags.l1 ? writeLedger(flags) : writeNetwork(flags))
  } catch (error) {
    refuseUnwritableFolder(error, flags.out)
  }
}

/** Throws for a flag of the other kind of sample, which would have no effect. */
function checkFlags(flags: SampleFlags): void {
  const given = (names: readonly string[]) =>
    Object.keys(flags)
      .find((name) => names.includes(name))
      ?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const [oracle, ledger] = [given(ofOracleFiles), given(ofLedger)]
  if (flags.l1 && oracle !== undefined) {
    fail(
      'malformed_request',
      `--${oracle} goes with oracle files; with --l1, use --blocks and --transactions`,
    )
  }
  if (!flags.l1 && ledger !== undefined) {
    fail('malformed_request', `--${ledger} goes with --l1; without it, use --days and --hotspots`)
  }
}

async function writeNetwork(flags: SampleFlags): Promise<void> {
  const { out, days = DEFAULT_DAYS, missingDay = [], missingManifest = [], lateFile = [] } = flags
  const gaps = { missingDays: missingDay, missingManifests: missingManifest, lateFiles: lateFile }
  const oracle = await writeSampleNetwork({ ...flags, ...gaps, days })
  const { rows, files, bytes } = await writeHotspots(flags)
  print(
    `${oracle.files + files} files, ${oracle.rows} shares, ${rows.hotspots} hotspots, ${oracle.bytes + bytes} bytes in ${out}`,
  )
  if (oracle.lateFiles > 0) print(`${oracle.lateFiles} late files in ${lateFolder(out)}`)
}

async function writeLedger(flags: SampleFlags): Promise<void> {
  const ledger = await writeSampleLedger({
    ...flags,
    transactions: flags.transactions ?? DEFAULT_TRANSACTIONS,
  })
  const { rows, files, bytes } = await writeHotspots(flags)
  const sumsByTable = new Map(Object.entries(ledger.sums))
  for (const [table, count] of Object.entries({ ...ledger.rows, ...rows })) {
    const sums = Object.entries(sumsByTable.get(table) ?? {})
    print([`${table}: ${count} rows`, ...sums.map(([column, sum]) => `${column} ${sum}`)].join(', '))
  }
  print(`${ledger.files + files} files, ${ledger.bytes + bytes} bytes in ${flags.out}`)
}
