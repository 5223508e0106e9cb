import type { Command } from 'commander'
import { compactMonths } from '../../services/library/lake-writes.ts'
import { writerSettings } from '../../services/row-writer.ts'
import type { Settings } from '../../services/settings/settings.ts'
import type { CompactedPartition } from '../../write/compact/compact.ts'
import { buildWithSteps } from '../building/build-with-steps.ts'
import { listedMonths } from '../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { alignColumns, counted, print, printJson, printLines } from '../terminal-text.ts'

export function addCompactCommand(program: Command): void {
  withSettings(
    program
      .command('compact')
      .description('Merge the files of each month before the newest; no row, id or answer changes.')
      .option(
        '--month <YYYY-MM>',
        'only these months, separated by commas; also the newest, if named',
        listedMonths,
      )
      .option('--json', 'print what was done as JSON'),
    ['lake', 'state', ...writerSettings],
  ).action((flags: Flags & CompactFlags) => runCompact(settingsFrom(flags), flags))
}

interface CompactFlags {
  /** Default: all closed months. */
  readonly month?: readonly string[]
  readonly json?: true
}

/**
 * Compacts, prints the result for each partition, and builds the indexes of the new files. Errors: those of `compact`.
 */
async function runCompact(settings: Settings, { month: months, json }: CompactFlags): Promise<void> {
  lowerPriority()
  const started = performance.now()
  const partitions: CompactedPartition[] = []
  let damage: unknown
  const onTable = (done: readonly CompactedPartition[]) => void partitions.push(...done)
  await compactMonths(settings, { months, onTable }).catch((error) => {
    if (partitions.length === 0) throw error
    damage = error
  })
  const seconds = (performance.now() - started) / 1000
  if (json) printJson({ partitions, seconds })
  else printPartitions(partitions, seconds)
  if (partitions.length > 0) await buildWithSteps(settings)
  if (damage !== undefined) throw damage
}

function printPartitions(partitions: readonly CompactedPartition[], seconds: number): void {
  if (partitions.length === 0) {
    print('Nothing to gain: closed months lie in few files already.')
    return
  }
  const heads = ['table', 'partition', 'rows', 'files before', 'after', 'bytes before', 'after']
  const cells = partitions.map((done) => [
    ...[done.table, done.partition],
    ...[done.rows, done.filesBefore, done.filesAfter, done.bytesBefore, done.bytesAfter].map(String),
  ])
  printLines(alignColumns([heads, ...cells], [0, 1]))
  const sum = (name: 'filesBefore' | 'filesAfter') =>
    partitions.reduce((total, partition) => total + partition[name], 0)
  print(
    `${counted(sum('filesBefore'), 'file')} became ${sum('filesAfter')} in ${seconds.toFixed(1)} s; ` +
      'the old ones stay for older snapshots until ledgerlake vacuum',
  )
}
