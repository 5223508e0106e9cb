import type { Json, JsonObject } from '../../base/values/json-writer.ts'
import { keyText, solanaText } from '../wire/keys.ts'
import { openPlaces } from './hotspot-places.ts'
import {
  type Hotspot,
  members,
  openHotspots,
  openOwners,
  openPeople,
  type SampleNetwork,
} from './hotspots.ts'
import { nameWords } from './names.ts'
import { deriveSeed, drawUuid, openRandom, type Random } from './random.ts'

/** Makers and hotspots of the second layer, in the shapes of the API. */

const MAKERS = 70
const gains = [12, 23, 40, 58, 80] as const

export function* makerRecords(seed: string): Generator<JsonObject> {
  const makerSeed = deriveSeed(seed, 'makers')
  const random = openRandom()
  for (let index = 0; index < MAKERS; index += 1) {
    random.restart(makerSeed, index)
    yield {
      id: uuidText(random),
      address: drawSolana(random),
      update_authority: drawSolana(random),
      issuing_authority: drawSolana(random),
      // Two makers share a name, so that their order depends on the address.
      name: `Maker ${index === 1 ? 0 : index}`,
      bump_seed: 240 + random.below(16),
      collection: drawSolana(random),
      merkle_tree: drawSolana(random),
      collection_bump_seed: 240 + random.below(16),
      dao: drawSolana(random),
    }
  }
}

/** Yields hotspots. The maker of each is one of `makerRecords`, or unknown. */
export function* hotspotRecords(network: SampleNetwork): Generator<JsonObject> {
  const recordSeed = deriveSeed(network.seed, 'hotspot records')
  const makers = [...makerRecords(network.seed)]
  const hotspotOf = openHotspots(network.seed)
  const ownerOf = openOwners(network)
  const accountOf = openPeople(network.seed, 'accounts')
  const placeOf = openPlaces(network)
  const random = openRandom()
  for (let index = 0; index < network.hotspots; index += 1) {
    random.restart(recordSeed, index)
    const hotspot = hotspotOf(index)
    const location = placeOf(index)?.location ?? null
    const networks = (['iot', 'mobile'] as const).filter((name) => members[name].has(index))
    yield {
      id: uuidText(random),
      asset_id: drawSolana(random),
      ecc_key: keyText(hotspot.key),
      // A wallet of the second layer is the public key of the L1 account, without its first byte.
      owner: solanaText(accountOf(ownerOf(index)).subarray(1)),
      networks,
      name: nameWords(index)
        .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
        .join(' '),
      maker: random.chance(0.05) ? null : random.pick(makers),
      iot_info: networks.includes('iot') ? iotInfo(random, hotspot, location) : null,
      mobile_info: networks.includes('mobile') ? mobileInfo(random, hotspot, location) : null,
    }
  }
}

function iotInfo(random: Random, { isRetired }: Hotspot, location: bigint | null): JsonObject {
  return {
    location,
    elevation: random.below(80) - 5,
    gain: random.pick(gains),
    is_full_hotspot: random.chance(0.9),
    num_location_asserts: location === null ? 0 : 1 + random.below(6),
    is_active: !isRetired,
    dc_onboarding_fee_paid: 4_000_000,
  }
}

function mobileInfo(random: Random, { device, isRetired }: Hotspot, location: bigint | null): JsonObject {
  const isDataOnly = device === 'wifi_data_only'
  const deployed = (most: number): Json => (device === 'cbrs' || isDataOnly ? null : random.below(most))
  return {
    location,
    is_full_hotspot: !isDataOnly,
    num_location_asserts: location === null ? 0 : 1 + random.below(3),
    is_active: !isRetired,
    dc_onboarding_fee_paid: isDataOnly ? 200_000 : 0,
    device_type: device,
    antenna: deployed(20),
    azimuth: deployed(360),
    mechanical_down_tilt: deployed(10),
    electrical_down_tilt: deployed(10),
  }
}

function drawSolana(random: Random): string {
  return solanaText(random.bytes(32))
}

function uuidText(random: Random): string {
  return Buffer.from(drawUuid(random))
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
