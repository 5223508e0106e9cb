import { type Json, type JsonObject, writeJson } from '../derive/json-writer.ts'
import { solanaText } from '../wire/keys.ts'
import { openGatewayAddresses } from './l1-addresses.ts'
import type { Ledger } from './l1-ledger.ts'
import type { LineFiles } from './l1-line-files.ts'
import { nameWords } from './l1-names.ts'
import { openPlaces } from './l1-places.ts'
import { deriveSeed, drawUuid, openRandom, type Random } from './random.ts'

/** Makers and hotspots of the second layer, in the shapes of the API. */

const MAKERS = 70
/** Hotspots know these makers, and the list of makers does not. */
const UNLISTED_MAKERS = 2
const OWNERS_PER_HOTSPOT = 0.3
const DRAIN_ROWS = 10_000
/** Of twenty hotspots, sixteen are on the IoT network alone, three on the mobile one alone, and one on both. */
const networkDraws = [
  ...Array.from({ length: 16 }, () => ['iot']),
  ...Array.from({ length: 3 }, () => ['mobile']),
  ['iot', 'mobile'],
]
const deviceTypes = ['wifi_indoor', 'wifi_outdoor', 'wifi_data_only', 'cbrs'] as const
const gains = [12, 23, 40, 58, 80] as const

export async function writeMakers(ledger: Ledger, file: LineFiles): Promise<void> {
  const makerOf = openMakers(ledger)
  for (let index = 0; index < MAKERS; index += 1) file.write(`${writeJson(makerOf(index))}\n`)
}

export async function writeHotspots(ledger: Ledger, file: LineFiles): Promise<void> {
  const hotspotOf = openHotspots(ledger)
  for (let index = 0; index < ledger.hotspots; index += 1) {
    file.write(`${writeJson(hotspotOf(index))}\n`)
    if (index % DRAIN_ROWS === 0) await file.drain()
  }
}

function openMakers(ledger: Ledger): (index: number) => JsonObject {
  const seed = deriveSeed(ledger.seed, 'ledger', 'makers')
  const random = openRandom()
  return (index) => {
    random.restart(seed, index)
    return {
      id: uuidText(random),
      address: drawSolana(random),
      update_authority: drawSolana(random),
      issuing_authority: drawSolana(random),
      // Two makers of one name, so that the address decides which comes first.
      name: `Maker ${index === 1 ? 0 : index}`,
      bump_seed: 240 + random.below(16),
      collection: drawSolana(random),
      merkle_tree: drawSolana(random),
      collection_bump_seed: 240 + random.below(16),
      dao: drawSolana(random),
    }
  }
}

function openHotspots(ledger: Ledger): (index: number) => JsonObject {
  const seed = deriveSeed(ledger.seed, 'ledger', 'hotspots')
  const makerOf = openMakers(ledger)
  const makers = Array.from({ length: MAKERS + UNLISTED_MAKERS }, (_, index) => makerOf(index))
  const addressOf = openGatewayAddresses(ledger)
  const ownerOf = openOwners(ledger)
  const placeOf = openPlaces(ledger.seed, ledger.hotspots)
  const random = openRandom()
  return (index) => {
    random.restart(seed, index)
    const networks = networkDraws[random.below(networkDraws.length)] as readonly string[]
    const location = random.chance(0.05) ? null : placeOf(index).location
    return {
      id: uuidText(random),
      asset_id: drawSolana(random),
      ecc_key: addressOf(index),
      owner: ownerOf(random),
      networks,
      name: nameWords(index)
        .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
        .join(' '),
      maker: random.chance(0.1) ? null : (makers[random.below(makers.length)] as JsonObject),
      iot_info: networks.includes('iot') ? iotInfo(random, location) : null,
      mobile_info: networks.includes('mobile') ? mobileInfo(random, location) : null,
    }
  }
}

function iotInfo(random: Random, location: bigint | null): JsonObject {
  return {
    location,
    elevation: random.below(80) - 5,
    gain: gains[random.below(gains.length)] as number,
    is_full_hotspot: random.chance(0.9),
    num_location_asserts: location === null ? 0 : 1 + random.below(6),
    is_active: random.chance(0.6),
    dc_onboarding_fee_paid: 4_000_000,
  }
}

function mobileInfo(random: Random, location: bigint | null): JsonObject {
  const device_type = deviceTypes[random.below(deviceTypes.length)] as string
  const isDataOnly = device_type === 'wifi_data_only'
  const deployed = (most: number): Json => (device_type === 'cbrs' || isDataOnly ? null : random.below(most))
  return {
    location,
    is_full_hotspot: !isDataOnly,
    num_location_asserts: location === null ? 0 : 1 + random.below(3),
    is_active: random.chance(0.7),
    dc_onboarding_fee_paid: isDataOnly ? 200_000 : 0,
    device_type,
    antenna: deployed(20),
    azimuth: deployed(360),
    mechanical_down_tilt: deployed(10),
    electrical_down_tilt: deployed(10),
  }
}

/** Draws owners: a few have very many hotspots. */
function openOwners(ledger: Ledger): (random: Random) => string {
  const seed = deriveSeed(ledger.seed, 'ledger', 'owners of hotspots')
  const count = Math.ceil(ledger.hotspots * OWNERS_PER_HOTSPOT)
  const own = openRandom()
  return (random) => {
    own.restart(seed, Math.floor(count * random.unit() ** 3))
    return drawSolana(own)
  }
}

function drawSolana(random: Random): string {
  return solanaText(random.bytes(32))
}

function uuidText(random: Random): string {
  const hex = Buffer.from(drawUuid(random)).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
