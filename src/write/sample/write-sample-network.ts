import { basename, join, resolve } from 'node:path'
import { fail } from '../../base/errors.ts'
import { itemAt } from '../../base/values/item-at.ts'
import { iotRewardShareFields } from '../wire/messages/iot-reward-share.ts'
import { iotWitnessIngestReportFields } from '../wire/messages/iot-witness-ingest-report.ts'
import { mobileRewardShareFields } from '../wire/messages/mobile-reward-share.ts'
import { encodeRewardManifest } from './encoding/encode-manifest.ts'
import { compileEncoder } from './encoding/encode-message.ts'
import { dayOfEpoch, epochsOf, type NetworkOptions, readDay, type SampleEpoch } from './epochs.ts'
import { writeFrameFiles } from './frame-file.ts'
import type { NetworkName } from './hotspots.ts'
import { iotRewards } from './iot-epoch.ts'
import { manifestOf } from './manifests.ts'
import { mobileRewards } from './mobile-epoch.ts'
import { manifestName, openingTime, sharesName, witnessReportsName } from './oracle-names.ts'
import type { IotShare, MobileShare, Rewards } from './shares.ts'
import type { PartFile } from './whole-file.ts'
import { witnessReports } from './witness-reports.ts'

export interface SampleOptions extends NetworkOptions {
  /** Folder of the category folders; created if missing. An existing file must have the same bytes. */
  readonly out: string
  /** Rewarded days, YYYY-MM-DD, UTC, without any files: no shares, manifests or witness reports. */
  readonly missingDays?: readonly string[]
  /** Rewarded days with shares, but without the manifests of their files. */
  readonly missingManifests?: readonly string[]
  /** Rewarded days whose last share file of each network is in `<out>-late`, in the same subfolders. */
  readonly lateFiles?: readonly string[]
  /** Called after each file of `out` with its relative path and its number of messages. */
  readonly onFile?: (relativePath: string, rows: number) => void
}

/** Totals of `out`; late files are counted separately. */
export interface SampleSummary {
  readonly files: number
  /** Number of reward shares; manifests and reports are not counted. */
  readonly rows: number
  /** Bytes on disk, after gzip. */
  readonly bytes: number
  readonly lateFiles: number
}

const encoders = {
  iot: compileEncoder(iotRewardShareFields),
  mobile: compileEncoder(mobileRewardShareFields),
  report: compileEncoder(iotWitnessIngestReportFields),
}

const categories = { iot: 'foundation-iot-verified-rewards', mobile: 'foundation-mobile-verified' } as const
const INGEST_CATEGORY = 'foundation-iot-ingest'
const SHARE_FILES_A_DAY = 2

/** Returns the folder of late files of a sample. */
export function lateFolder(out: string): string {
  return `${resolve(out)}-late`
}

/**
 * Writes the oracle files of a made-up network, day by day, into `out/<category>/<prefix>.<unix_ms>.gz`. Equal options
 * give equal bytes on one release of Node, and more `days` only add later days. Memory does not grow with the number of
 * days or hotspots.
 * Errors: `malformed_request` for options out of range; those of the file system.
 */
export async function writeSampleNetwork(options: SampleOptions): Promise<SampleSummary> {
  const epochs = epochsOf(options)
  const gaps = gapsOf(options, epochs)
  const summary = { files: 0, rows: 0, bytes: 0, lateFiles: 0 }
  for (const epoch of epochs) {
    if (gaps.missingDays.has(epoch.number)) continue
    for (const network of ['iot', 'mobile'] as const) {
      const rewards = { iot: iotRewards, mobile: mobileRewards }[network](epoch)
      const isLate = gaps.lateFiles.has(epoch.number)
      const shares = await writeShares(options.out, epoch, network, rewards, isLate)
      const onTime = shares.slice(0, isLate ? -1 : undefined)
      summary.lateFiles += shares.length - onTime.length
      summary.rows += onTime.reduce((rows, file) => rows + file.items, 0)
      noteFiles(categories[network], onTime)
      if (gaps.missingManifests.has(epoch.number)) continue
      const written = shares.map((file) => basename(file.path))
      const message = encodeRewardManifest(manifestOf(epoch, network, rewards.bonesPerShare, written))
      const path = join(options.out, categories[network], manifestName(epoch, network, shares.length))
      noteFiles(categories[network], await writeFrameFiles(() => path, [message]))
    }
    const reports = encodeEach(encoders.report, witnessReports(epoch, openingTime(epoch, 'reports')))
    const path = join(options.out, INGEST_CATEGORY, witnessReportsName(epoch))
    noteFiles(INGEST_CATEGORY, await writeFrameFiles(() => path, reports))
  }
  return summary

  function noteFiles(category: string, files: readonly PartFile[]): void {
    for (const file of files) {
      summary.files += 1
      summary.bytes += file.bytes
      options.onFile?.(`${category}/${basename(file.path)}`, file.items)
    }
  }
}

/** Converts the days of gaps to day numbers. */
function gapsOf(options: SampleOptions, epochs: readonly SampleEpoch[]) {
  const [first, last] = [itemAt(epochs, 0), itemAt(epochs, epochs.length - 1)]
  const numbersOf = (name: string, days: readonly string[] = []) =>
    new Set(
      days.map((day) => {
        const number = readDay(name, day)
        if (number >= first.number && number <= last.number) return number
        const sentence = `${name} is ${JSON.stringify(day)}; use a day from ${dayOfEpoch(first)} to ${dayOfEpoch(last)}`
        return fail('malformed_request', sentence)
      }),
    )
  const missingDays = numbersOf('missing-day', options.missingDays)
  const lateFiles = numbersOf('late-file', options.lateFiles)
  const both = epochs.find(({ number }) => missingDays.has(number) && lateFiles.has(number))
  if (both !== undefined) {
    const sentence = `missing-day and late-file are both "${dayOfEpoch(both)}"; for late-file, use a day that has files`
    fail('malformed_request', sentence)
  }
  return {
    missingDays,
    lateFiles,
    missingManifests: numbersOf('missing-manifest', options.missingManifests),
  }
}

/** Writes the share files of one network and day; the last one may be late. */
function writeShares(
  out: string,
  epoch: SampleEpoch,
  network: NetworkName,
  { rows, shares }: Rewards<IotShare | MobileShare>,
  isLate: boolean,
): Promise<readonly PartFile[]> {
  const pathOf = (part: number) => {
    const folder = isLate && part === SHARE_FILES_A_DAY - 1 ? lateFolder(out) : out
    return join(folder, categories[network], sharesName(epoch, network, part))
  }
  const mostFrames = Math.ceil(rows / SHARE_FILES_A_DAY)
  return writeFrameFiles(pathOf, encodeEach(encoders[network], shares()), mostFrames)
}

function* encodeEach<V>(encode: (values: V) => Uint8Array, rows: Iterable<V>): Generator<Uint8Array> {
  for (const row of rows) yield encode(row)
}
