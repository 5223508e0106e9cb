import { itemAt } from '../../../base/values/item-at.ts'
import { keyText } from '../../wire/keys.ts'
import { drawSkewed, members, openHotspots, openOwners, openPeople, ownerCount } from '../hotspots.ts'
import { deriveSeed, openRandom, type Random } from '../random.ts'
import { accountsAt, type Ledger } from './ledger.ts'

const VALIDATORS = 400
const ROUTERS = 20
const ORACLES = 9
/** Base58check of the single byte 0; replaces the gateway of a reward without one. */
const PLACEHOLDER = '1Wh4bh'
/** Share of the busiest account in all payments. */
const BUSIEST = 0.01
/** Share of gateways sold since the end of the ledger. */
const SOLD = 0.1

/**
 * Derives every address of a ledger, some 200 MB for two million. Actors are numbered: first accounts, then gateways,
 * which are the hotspots of the IoT network, then validators, routers and oracles.
 */
export function deriveAddresses(ledger: Ledger) {
  const hotspotOf = openHotspots(ledger.seed)
  const crowds = [
    { count: ledger.accounts, keyOf: openPeople(ledger.seed, 'accounts') },
    { count: ledger.gateways, keyOf: (number: number) => hotspotOf(members.iot.indexOf(number)).key },
    { count: VALIDATORS, keyOf: openPeople(ledger.seed, 'validators') },
    { count: ROUTERS, keyOf: openPeople(ledger.seed, 'routers') },
    { count: ORACLES, keyOf: openPeople(ledger.seed, 'oracles') },
  ]
  const texts: string[] = []
  for (const { count, keyOf } of crowds)
    for (let index = 0; index < count; index += 1) texts.push(keyText(keyOf(index)))
  const placeholder = texts.length
  texts.push(PLACEHOLDER)
  const firstValidator = ledger.accounts + ledger.gateways
  return {
    texts,
    firstGateway: ledger.accounts,
    firstValidator,
    validators: VALIDATORS,
    firstRouter: firstValidator + VALIDATORS,
    routers: ROUTERS,
    firstOracle: firstValidator + VALIDATORS + ROUTERS,
    oracles: ORACLES,
    placeholder,
    /** Account number of a gateway's owner, by the index of the gateway. */
    owners: drawOwners(ledger),
  }
}

export type Addresses = ReturnType<typeof deriveAddresses>

/** Draws the owners: today's owners, but an earlier one for sold gateways. */
function drawOwners(ledger: Ledger): Int32Array {
  const ownerOf = openOwners(ledger)
  const earlier = openRandom(deriveSeed(ledger.seed, 'earlier owners'))
  const owners = ownerCount(ledger.hotspots)
  return Int32Array.from({ length: ledger.gateways }, (_, number) =>
    earlier.chance(SOLD) ? earlier.below(owners) : ownerOf(members.iot.indexOf(number)),
  )
}

/** Draws an account that exists at a block. */
export function drawAccount(ledger: Ledger, random: Random, block: number): number {
  return drawSkewed(random, accountsAt(ledger, block), BUSIEST)
}

export function addressAt({ texts }: Addresses, person: number): string {
  return itemAt(texts, person)
}
