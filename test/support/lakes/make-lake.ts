import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { encodeRewardManifest } from '../../../src/write/sample/encoding/encode-manifest.ts'
import { compileEncoder } from '../../../src/write/sample/encoding/encode-message.ts'
import type { IotShare, MobileShare } from '../../../src/write/sample/shares.ts'
import { keyText } from '../../../src/write/wire/keys.ts'
import { iotRewardShareFields } from '../../../src/write/wire/messages/iot-reward-share.ts'
import { mobileRewardShareFields } from '../../../src/write/wire/messages/mobile-reward-share.ts'
import type { DecodedManifest } from '../../../src/write/wire/messages/network-messages.ts'
import { cleanUpWithFile } from '../clean-up.ts'
import { frameFile } from '../messages/oracle-messages.ts'
import { makeFolder, temporaryFolder } from '../temporary-folder.ts'
import { ingestInto } from './build-lake.ts'

/** Messages by the path of their file, such as `iot/iot_reward_share.1.gz`. */
export type OracleFiles = Readonly<Record<string, readonly Uint8Array[]>>

export const iotShare = compileEncoder<IotShare>(iotRewardShareFields)
export const mobileShare = compileEncoder<MobileShare>(mobileRewardShareFields)

/** The instant of an ISO text, by the clock of JavaScript. */
export function at(text: string): bigint {
  return BigInt(Date.parse(text)) * 1000n
}

/** The day that ends at 00:00 UTC of a date. */
export function dayBefore(date: string): { start_period: bigint; end_period: bigint } {
  const end_period = at(`${date}T00:00:00Z`)
  return { start_period: end_period - 86_400_000_000n, end_period }
}

/** One of many made-up hotspots. */
export function hotspot(number: number): { raw: Uint8Array; text: string } {
  const raw = Buffer.alloc(33)
  raw.writeUInt32BE(number, 1)
  raw.writeUInt32BE(number, 29)
  return { raw, text: keyText(raw) }
}

/** What a hotspot, by its number, is paid for the day before a date. */
export function iotReward(date: string, number: number, amounts: Partial<IotShare>): Uint8Array {
  return iotShare({ ...hotspotOn(date, number), ...amounts })
}

export function mobileReward(date: string, number: number, amounts: Partial<MobileShare>): Uint8Array {
  return mobileShare({ ...hotspotOn(date, number), ...amounts })
}

function hotspotOn(date: string, number: number) {
  return { ...dayBefore(date), reward_type: 'gateway_reward', hotspot_key: hotspot(number).raw } as const
}

/** A day's shares of thirty hotspots, each with 7 for beacons. */
export function thirtyShares(day: string): readonly Uint8Array[] {
  return Array.from({ length: 30 }, (_, number) => iotReward(day, number, { beacon_amount: 7n }))
}

const emptyManifest: DecodedManifest = {
  written_files: [],
  ...{ start_timestamp: at('2025-01-28T00:00:00Z'), end_timestamp: at('2025-01-29T00:00:00Z') },
  epoch: 0n,
  price: 0n,
  reward_type: 'mobile',
  token: null,
  poc_bones_per_beacon_reward_share: null,
  poc_bones_per_beacon_reward_share_exact: null,
  poc_bones_per_witness_reward_share: null,
  poc_bones_per_witness_reward_share_exact: null,
  dc_bones_per_share: null,
  dc_bones_per_share_exact: null,
  poc_bones_per_reward_share: null,
  poc_bones_per_reward_share_exact: null,
  boosted_poc_bones_per_reward_share: null,
  boosted_poc_bones_per_reward_share_exact: null,
  service_provider_promotions: null,
}

export function manifest(values: Partial<DecodedManifest>): Uint8Array {
  return encodeRewardManifest({ ...emptyManifest, ...values })
}

/** The manifest of a file of Mobile shares that are paid in the main token. */
export function priced(file: string, price: bigint): Uint8Array {
  return manifest({ written_files: [file], token: 'mobile_reward_token_main', price })
}

export async function writeOracleFiles(folder: string, files: OracleFiles): Promise<void> {
  for (const [name, messages] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), frameFile(messages))
  }
}

export interface MadeLake {
  readonly folder: string
  /** Folder of the files that it began with. */
  readonly input: string
  /** Takes in more files, in one more ingest. */
  add(files: OracleFiles): Promise<void>
}

/** A lake of made-up files; `files` are ingested at once. Every file must be taken in whole. */
export async function makeLake(files: OracleFiles): Promise<MadeLake> {
  const home = await temporaryFolder()
  cpSync(await madeOnce(files), home, { recursive: true })
  return madeIn(home)
}

/** A lake of the same files as another, with files and snapshots of its own. */
export async function makeOtherLake(files: OracleFiles): Promise<MadeLake> {
  const home = await temporaryFolder()
  await takeIn(home, 'input-0', files)
  return madeIn(home)
}

function madeIn(home: string): MadeLake {
  let inputs = 1
  return {
    ...placesIn(home),
    async add(more) {
      await takeIn(home, `input-${inputs}`, more)
      inputs += 1
    },
  }
}

const placesIn = (home: string) => ({ folder: join(home, 'lake'), input: join(home, 'input-0') })

async function takeIn(home: string, name: string, files: OracleFiles): Promise<void> {
  const input = join(home, name)
  await writeOracleFiles(input, files)
  const summary = await ingestInto(placesIn(home).folder, [input])
  if (summary.failed.length > 0 || summary.stored !== Object.keys(files).length || summary.refusedRows > 0)
    throw new Error(`the made files were not taken in: ${JSON.stringify(summary)}`)
}

/** Lakes of the test file that runs, by their content. */
const made = new Map<string, Promise<string>>()

/** Tests of a file begin with the same lake mostly, so that is ingested once for it, and copied. */
function madeOnce(files: OracleFiles): Promise<string> {
  const key = contentOf(files)
  const known = made.get(key) ?? madeOf(files)
  if (!made.has(key)) cleanUpWithFile(() => made.delete(key))
  made.set(key, known)
  return known
}

async function madeOf(files: OracleFiles): Promise<string> {
  const { folder, remove } = await makeFolder()
  cleanUpWithFile(remove)
  await takeIn(folder, 'input-0', files)
  return folder
}

function contentOf(files: OracleFiles): string {
  const hash = createHash('sha256')
  for (const [path, messages] of Object.entries(files)) {
    hash.update(`${path} ${messages.map(({ length }) => length).join()}\n`)
    for (const message of messages) hash.update(message)
  }
  return hash.digest('hex')
}
