import { keyText } from '../wire/keys.ts'
import { grownShare, type Ledger } from './l1-ledger.ts'
import { deriveSeed, fillBytes, openRandom, type Random } from './random.ts'

const VALIDATORS = 400
const ROUTERS = 20
const ORACLES = 9
/** Base58check of the single byte 0: stands where a reward has no gateway. */
const PLACEHOLDER = '1Wh4bh'
const LONGEST = 52
const KEY_BYTES = 33
const ECC = 0x00
const ED25519 = 0x01
/** Share of all hotspots that the largest owner has. */
const LARGEST_SHARE = 0.01

/** Every address of a ledger. People are numbered: accounts from 0 on, then gateways, validators, and so on. */
export interface Addresses {
  readonly bytes: Buffer
  readonly lengths: Uint8Array
  readonly firstGateway: number
  readonly firstValidator: number
  readonly validators: number
  readonly firstRouter: number
  readonly routers: number
  readonly firstOracle: number
  readonly oracles: number
  readonly placeholder: number
  /** The account that owns a gateway, by the gateway's index from 0. */
  readonly owners: Int32Array
}

/** Derives the addresses of a ledger, about 100 MB for two million. */
export function deriveAddresses(ledger: Ledger): Addresses {
  const crowds = [
    { name: 'accounts', count: ledger.accounts, firstByte: ED25519 },
    { name: 'gateways', count: ledger.gateways, firstByte: ECC },
    { name: 'validators', count: VALIDATORS, firstByte: ED25519 },
    { name: 'routers', count: ROUTERS, firstByte: ED25519 },
    { name: 'oracles', count: ORACLES, firstByte: ED25519 },
  ] as const
  const placeholder = crowds.reduce((sum, { count }) => sum + count, 0)
  const bytes = Buffer.alloc((placeholder + 1) * LONGEST)
  const lengths = new Uint8Array(placeholder + 1)
  let at = 0
  for (const { name, count, firstByte } of crowds) {
    const keyOf = openKeys(ledger.seed, name, firstByte)
    for (let index = 0; index < count; index += 1, at += 1) {
      lengths[at] = bytes.write(keyOf(index), at * LONGEST, 'latin1')
    }
  }
  lengths[placeholder] = bytes.write(PLACEHOLDER, placeholder * LONGEST, 'latin1')
  const firstValidator = ledger.accounts + ledger.gateways
  return {
    bytes,
    lengths,
    firstGateway: ledger.accounts,
    firstValidator,
    validators: VALIDATORS,
    firstRouter: firstValidator + VALIDATORS,
    routers: ROUTERS,
    firstOracle: firstValidator + VALIDATORS + ROUTERS,
    oracles: ORACLES,
    placeholder,
    owners: drawOwners(ledger),
  }
}

/** Finds the address of a gateway by its index, also beyond those of the ledger. */
export function openGatewayAddresses(ledger: Ledger): (index: number) => string {
  return openKeys(ledger.seed, 'gateways', ECC)
}

function openKeys(seed: string, crowd: string, firstByte: number): (index: number) => string {
  const own = deriveSeed(seed, 'ledger', crowd)
  const random = openRandom()
  const key = new Uint8Array(KEY_BYTES)
  key[0] = firstByte
  return (index) => {
    random.restart(own, index)
    return keyText(fillBytes(key, 1, random.word))
  }
}

/** Nobody owns a gateway that is older than the account. */
function drawOwners(ledger: Ledger): Int32Array {
  const random = openRandom(deriveSeed(ledger.seed, 'ledger', 'owners'))
  return Int32Array.from({ length: ledger.gateways }, (_, index) =>
    drawSkewed(random, Math.ceil((ledger.accounts * (index + 1)) / ledger.gateways)),
  )
}

/** The account of a draw among those that are there at a block. */
export function drawAccount(ledger: Ledger, random: Random, block: number): number {
  return drawSkewed(random, Math.ceil(ledger.accounts * grownShare(ledger, block)))
}

/** An index below `count`: small ones are likely, 0 has the largest share, and most have a few of many draws. */
function drawSkewed(random: Random, count: number): number {
  const exponent = Math.log(count) / -Math.log(LARGEST_SHARE)
  return Math.min(count - 1, Math.floor(count * random.unit() ** exponent))
}

export function addressOf({ bytes, lengths }: Addresses, person: number): string {
  return bytes.toString('latin1', person * LONGEST, person * LONGEST + (lengths[person] as number))
}
