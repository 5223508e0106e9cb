import type { Command } from 'commander'
import { type SampleFlags, writeSample } from '../commands/sample.ts'
import { localPath, repeated, wholeNumber } from '../flags/flag-values.ts'
import { print } from '../flags/with-settings.ts'

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
      'a rewarded day of which nothing is written, neither shares nor manifests; may be repeated',
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
    .action((flags: SampleFlags) => writeSample(flags, print))
}
