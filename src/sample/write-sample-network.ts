import { join } from 'node:path'
import { compileEncoder } from '../wire/encode.ts'
import { iotRewardShareFields } from '../wire/messages/iot-reward-share.ts'
import { iotWitnessIngestReportFields } from '../wire/messages/iot-witness-ingest-report.ts'
import { mobileRewardShareFields } from '../wire/messages/mobile-reward-share.ts'
import { encodeRewardManifest } from '../wire/messages/write-reward-manifest.ts'
import { dayOf, type Epoch, epochsOf, type NetworkOptions } from './epochs.ts'
import { type FrameFile, writeFrameFiles } from './frame-file.ts'
import { iotShares } from './iot-epoch.ts'
import { manifestOf } from './manifests.ts'
import { mobileShares } from './mobile-epoch.ts'
import { manifestName, openingTime, sharesName, witnessReportsName } from './oracle-names.ts'
import type { IotShare, MobileShare } from './shares.ts'
import { type WitnessReport, witnessReports } from './witness-reports.ts'

export interface SampleOptions extends NetworkOptions {
  /** Folder that takes one folder per category; made when missing. Files of the same name are replaced. */
  readonly out: string
  /** Called after each file, with its path below `out` and the number of its messages. */
  readonly onFile?: (relativePath: string, rows: number) => void
}

export interface SampleSummary {
  readonly files: number
  /** Reward shares; manifests and reports are not counted. */
  readonly rows: number
  /** On disk, after gzip. */
  readonly bytes: number
  /** First and last rewarded day, YYYY-MM-DD, UTC. */
  readonly firstPeriod: string
  readonly lastPeriod: string
}

const encoders = {
  iot: compileEncoder<IotShare>(iotRewardShareFields),
  mobile: compileEncoder<MobileShare>(mobileRewardShareFields),
  report: compileEncoder<WitnessReport>(iotWitnessIngestReportFields),
}

const categories = { iot: 'foundation-iot-verified-rewards', mobile: 'foundation-mobile-verified' } as const
const INGEST_CATEGORY = 'foundation-iot-ingest'
/** The IoT network has one share file a day, whatever its size. */
const ONE_FILE = Number.POSITIVE_INFINITY

/**
 * Writes the oracle files of a made-up network, day by day, into `out/<category>/<prefix>.<unix_ms>.gz`.
 * Equal options give equal bytes on one release of Node; `days` only adds later days once `switchOn` is given.
 * Memory does not grow with the size of the network.
 * Errors: malformed_request for options out of range; those of the file system are passed on.
 */
export async function writeSampleNetwork(options: SampleOptions): Promise<SampleSummary> {
  const epochs = epochsOf(options)
  const summary = { files: 0, rows: 0, bytes: 0 }
  const noteFiles = (category: string, files: readonly FrameFile[]) => {
    for (const file of files) {
      summary.files += 1
      summary.bytes += file.bytes
      options.onFile?.(`${category}/${file.name}`, file.frames)
    }
  }
  for (const epoch of epochs) {
    for (const network of ['iot', 'mobile'] as const) {
      const { shares, manifest } = await writeRewards(options.out, epoch, network)
      summary.rows += shares.reduce((rows, file) => rows + file.frames, 0)
      noteFiles(categories[network], [...shares, ...manifest])
    }
    noteFiles(INGEST_CATEGORY, await writeReports(options.out, epoch))
  }
  return {
    ...summary,
    firstPeriod: dayOf(epochs[0] as Epoch),
    lastPeriod: dayOf(epochs.at(-1) as Epoch),
  }
}

/** The share files of one network and day, then the manifest that names them. */
async function writeRewards(out: string, epoch: Epoch, network: 'iot' | 'mobile') {
  const folder = join(out, categories[network])
  const nameOf = (part: number) => sharesName(epoch, network, part)
  const shares =
    network === 'iot'
      ? await writeFrameFiles(folder, nameOf, encodeEach(encoders.iot, iotShares(epoch)), ONE_FILE)
      : await writeFrameFiles(folder, nameOf, encodeEach(encoders.mobile, mobileShares(epoch)))
  const written = shares.map((file) => file.name)
  const message = encodeRewardManifest(manifestOf(epoch, network, written))
  const name = manifestName(epoch, network, shares.length)
  return { shares, manifest: await writeFrameFiles(folder, () => name, [message]) }
}

function writeReports(out: string, epoch: Epoch): Promise<readonly FrameFile[]> {
  const messages = encodeEach(encoders.report, witnessReports(epoch, openingTime(epoch, 'reports')))
  return writeFrameFiles(join(out, INGEST_CATEGORY), () => witnessReportsName(epoch), messages)
}

function* encodeEach<V>(encode: (values: V) => Uint8Array, rows: Iterable<V>): Generator<Uint8Array> {
  for (const row of rows) yield encode(row)
}
