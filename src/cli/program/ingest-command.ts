import type { Command } from 'commander'
import { writerSettings } from '../../services/row-writer.ts'
import { isStateKind } from '../../write/ingest/decode/kinds.ts'
import { artifactKinds } from '../../write/ingest/files/artifact.ts'
import { type IngestFlags, runIngest } from '../commands/ingest.ts'
import { blockRange, listedKinds, wholeNumber } from '../flags/flag-values.ts'
import { type Flags, print, settingsFrom, withSettings } from '../flags/with-settings.ts'

export function addIngestCommand(program: Command): void {
  const states = artifactKinds.filter(isStateKind).join(', ')
  const command = program
    .command('ingest')
    .description(
      'Ingest oracle files, makers, hotspots and the ledger archive; files already ingested are skipped.',
    )
    .argument('[path...]', 'files and folders; none are needed for --retry-rejects')
    .option(
      '--only <kinds>',
      `ingest only these kinds, separated by commas: ${artifactKinds.join(', ')}`,
      listedKinds,
    )
    .option('--skip <kinds>', 'leave out these kinds, separated by commas', listedKinds)
    .option(
      '--max-rejects <n>',
      'rejected messages or records that a file may have (default: 10, or 1 %)',
      wholeNumber,
    )
    .option(
      '--blocks <A..B>',
      'ingest only records of blocks A to B, both included; A.. and ..B are open ranges',
      blockRange,
    )
    .option('--replace', 'replace the rows of a file that was ingested before and has other bytes now')
    .option(
      '--replace-all',
      `replace whole tables with the given files: ${states}; other kinds are ingested as usual`,
    )
    .option('--retry-rejects', 'then decode rejected messages again, and ingest those that are valid by now')
    .option('--json', 'print the summary as JSON')
  withSettings(command, ['lake', 'state', ...writerSettings, 'ingest_commit_rows']).action(
    async (paths: string[], flags: Flags & IngestFlags) => {
      process.exitCode = await runIngest(settingsFrom(flags), paths, flags, print)
    },
  )
}
