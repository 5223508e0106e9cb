import { type Command, Option } from 'commander'
import { readInstant } from '../../../base/values/instant.ts'
import { readBucketAddress } from '../../../operate/object-store/bucket-address.ts'
import { DEFAULT_MOST_NAMES } from '../../../operate/sync/counted-store.ts'
import { readDollars } from '../../../operate/sync/prices.ts'
import { followedResources } from '../../../operate/sync/records/followed-resources.ts'
import { artifactKinds } from '../../../write/ingest/files/artifact.ts'
import { flagParser, listedKinds, localPath, wholeNumber } from '../../flags/flag-values.ts'
import { type Flags, settingsFrom } from '../../flags/with-settings.ts'
import { type BucketFlags, type BucketSource, runSyncBucket } from './sync-bucket.ts'
import { withSyncFlags } from './sync-command.ts'
import { addSyncLakeCommand } from './sync-lake.ts'
import { addSyncRecordsCommands } from './sync-records.ts'

export function addSyncCommand(program: Command): void {
  const command = program
    .command('sync')
    .description(
      'Fetch files of oracles and of the ledger archive from a bucket and ingest them; or records of a service; or another lake.',
    )
    .argument(
      '<source>',
      'a bucket and a folder in it, such as s3://foundation-poc-data-requester-pays',
      address,
    )
    .addOption(
      new Option('--endpoint <url>', 'address of a store that speaks the protocol of Amazon S3')
        .argParser(httpAddress)
        .default('', 'Amazon S3'),
    )
    .option('--requester-pays', 'pay for requests and bytes, as the buckets of the network want it')
    .option('--from <instant>', 'only files that oracles created from then on', instant)
    .option('--to <instant>', 'only files that oracles created before', instant)
    .option(
      '--only <kinds>',
      `only these kinds, separated by commas: ${artifactKinds.join(', ')}`,
      listedKinds,
    )
    .option('--skip <kinds>', 'leave out these kinds, separated by commas', listedKinds)
    .option('--estimate', 'list the missing files and their cost, and fetch nothing')
    .option('--budget <usd>', 'the most that may be spent on the source, all runs together', dollars)
    .addOption(price('--list-price <usd>', 'price of a thousand listings', '0.005'))
    .addOption(price('--read-price <usd>', 'price of a thousand reads', '0.0004'))
    .addOption(price('--gb-price <usd>', 'price of 2^30 bytes sent', '0.09'))
    .option(
      '--overlap-hours <h>',
      'list again what oracles created so long before the newest file',
      wholeNumber,
      24,
    )
    .option(
      '--most-names <n>',
      'end the run when listings of the bucket have more names than this',
      wholeNumber,
      DEFAULT_MOST_NAMES,
    )
    .option('--keep-raw <folder>', 'keep the files below this folder', localPath)
    .option('--replace', 'fetch files again that changed, and replace their rows')
    .addHelpText('after', '\nDefault prices are those of Amazon in us-west-2 to the internet, in USD.')
  withSyncFlags(command).action(async (source: BucketSource, flags: Flags & BucketFlags) => {
    process.exitCode = await runSyncBucket(settingsFrom(flags), source, flags)
  })
  addSyncRecordsCommands(command)
  addSyncLakeCommand(command)
}

const names = [...followedResources.map(({ name }) => name), 'lake']

const address = flagParser(
  (text): BucketSource | undefined => {
    const address = readBucketAddress(text)
    return address && { ...address, text }
  },
  `Use s3://BUCKET or s3://BUCKET/FOLDER; or ${names.join(' or ')} and --url.`,
)

const httpAddress = flagParser(
  (text) => (/^https?:\/\/[^\s?#]+$/.test(text) && URL.canParse(text) ? text : undefined),
  'Use an address such as https://s3.example.org:9000.',
)

/** Adds a price option. The help cannot show a bigint, so the default is text. */
function price(flags: string, description: string, usual: string): Option {
  return new Option(flags, description).argParser(dollars).default(dollars(usual), usual)
}

const dollars = flagParser(readDollars, 'Use US dollars with at most nine decimals, such as 5.00.')

/** Parses an instant to milliseconds since 1970. */
const instant = flagParser((text) => {
  const micros = readInstant(text)
  return micros === undefined ? undefined : Number(micros / 1000n)
}, 'Use a day or an instant, such as 2026-07-01 or 2026-07-01T12:00:00Z.')
