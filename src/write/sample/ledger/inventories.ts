import { int32At } from '../../../base/values/typed-at.ts'
import { openPlaces } from '../hotspot-places.ts'
import { members } from '../hotspots.ts'
import { nameWords } from '../names.ts'
import { deriveSeed, openRandom, type Random } from '../random.ts'
import { type Addresses, addressAt } from './addresses.ts'
import { drawHash } from './fields.ts'
import { arrivalBlock, arrivalOfAccount, blockTime, type Ledger } from './ledger.ts'

/** Columns of the archive's inventories, by folder. */
export const inventoryColumns = {
  account_inventory:
    'address,balance,nonce,dc_balance,dc_nonce,security_balance,security_nonce,first_block,last_block,staked_balance,mobile_balance,iot_balance',
  gateway_inventory:
    'address,owner,location,last_poc_challenge,last_poc_onion_key_hash,witnesses,first_block,last_block,nonce,name,first_timestamp,reward_scale,elevation,gain,location_hex,mode,payer',
} as const

/** Balance of the richest account in bones. One account in 500 has a balance that no double can store. */
const RICHEST = 600_000_000_000_000
const BEYOND_DOUBLES = 9_007_199_254_740_993n
const BEYOND_INT4 = 2_147_483_648

export function* accountLines(ledger: Ledger, addresses: Addresses): Generator<string> {
  const random = openRandom()
  const seed = deriveSeed(ledger.seed, 'ledger', 'accounts', 'inventory')
  for (let index = 0; index < ledger.accounts; index += 1) {
    random.restart(seed, index)
    const first = arrivalOfAccount(ledger, index)
    yield lineOf([
      addressAt(addresses, index),
      balanceOf(index, random),
      random.chance(0.002) ? BEYOND_INT4 + random.below(1e6) : random.below(50),
      random.chance(0.8) ? 0 : random.below(4e8),
      random.below(3),
      random.chance(0.98) ? 0 : random.below(1e9),
      random.chance(0.98) ? 0 : random.below(9),
      first,
      first + random.below(ledger.blocks - first + 1),
      random.chance(0.9) ? 0 : 1_000_000_000_000 * (1 + random.below(4)),
      random.chance(0.3) ? '' : random.below(1e9) * 1000,
      random.chance(0.3) ? '' : random.below(1e9) * 1000,
    ])
  }
}

function balanceOf(index: number, random: Random): bigint {
  if (index === 0) return BigInt(RICHEST)
  if (index % 500 === 1) return BEYOND_DOUBLES + 2n * BigInt(random.below(1e9))
  if (random.chance(0.3)) return 0n
  return BigInt(Math.min(RICHEST, Math.floor(1e7 / (random.unit() + 1e-9) ** 1.5)))
}

export function* gatewayLines(ledger: Ledger, addresses: Addresses): Generator<string> {
  const random = openRandom()
  const seed = deriveSeed(ledger.seed, 'ledger', 'gateways', 'inventory')
  const placeOf = openPlaces(ledger)
  for (let index = 0; index < ledger.gateways; index += 1) {
    random.restart(seed, index)
    const first = arrivalBlock(ledger, index, ledger.gateways)
    const hotspot = members.iot.indexOf(index)
    const hotspotPlace = placeOf(hotspot)
    const mode = random.below(100)
    yield lineOf([
      addressAt(addresses, addresses.firstGateway + index),
      addressAt(addresses, int32At(addresses.owners, index)),
      hotspotPlace?.location.toString(16) ?? '',
      random.chance(0.4) ? '' : first + random.below(ledger.blocks - first + 1),
      random.chance(0.6) ? drawHash(random) : '',
      drawWitnesses(ledger, addresses, random, first),
      first,
      first + random.below(ledger.blocks - first + 1),
      random.below(6),
      nameWords(hotspot).join('-'),
      timestampOf(blockTime(ledger, first)),
      rewardScale(random),
      hotspotPlace === undefined ? 0 : random.below(120),
      random.pick(gains),
      hotspotPlace?.hex.toString(16) ?? '',
      mode < 85 ? 'full' : mode < 95 ? 'light' : 'dataonly',
      random.chance(0.7) ? addressAt(addresses, random.below(Math.min(40, ledger.accounts))) : '',
    ])
  }
}

/** Antenna gains in dBi times 10. */
const gains = [12, 12, 12, 23, 40, 58, 80]

const lineOf = (cells: readonly (string | number | bigint)[]) => `${cells.join(',')}\n`

/** Draws witnesses; one gateway in 50 has some, with nanoseconds as text. */
function drawWitnesses(ledger: Ledger, addresses: Addresses, random: Random, first: number): string {
  if (!random.chance(0.02)) return '{}'
  const witness = addressAt(addresses, addresses.firstGateway + random.below(ledger.gateways))
  const histogram = `{""-${60 + random.below(80)}"": ${1 + random.below(9)}, ""28"": 0}`
  const instants = `""first_time"": ""${blockTime(ledger, first)}000000000"", ""recent_time"": null`
  return `"{""${witness}"": {""histogram"": ${histogram}, ${instants}}}"`
}

/** Draws a reward scale: empty, 1, or up to 15 digits after the point. */
function rewardScale(random: Random): string {
  if (random.chance(0.2)) return ''
  if (random.chance(0.2)) return '1'
  const digits = 2 + random.below(14)
  const fraction = Array.from({ length: digits - 1 }, () => random.below(10)).join('')
  return `0.${fraction}${1 + random.below(9)}`
}

/** Formats an instant with time zone like PostgreSQL. */
function timestampOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}+00`
}
