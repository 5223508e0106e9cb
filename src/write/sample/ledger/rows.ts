import type { Random } from '../random.ts'
import { type Addresses, addressAt } from './addresses.ts'
import type { Ledger } from './ledger.ts'
import type { BurnType } from './transaction-kinds.ts'

/** Columns of the archive's event tables, by folder. */
export const chainColumns = {
  transactions: 'block,hash,type,fields,time',
  transaction_actors: 'actor,actor_role,transaction_hash,block',
  packets: 'block,transaction_hash,time,gateway,num_packets,num_dcs',
  rewards: 'block,transaction_hash,time,account,gateway,amount,type',
  dc_burns: 'block,transaction_hash,actor,type,amount,oracle_price,time',
} as const

export type ChainFolder = keyof typeof chainColumns

/** Sums of columns over all written rows. */
export interface ChainSums {
  readonly rewards: { amount: bigint }
  readonly packets: { num_packets: bigint; num_dcs: bigint }
  readonly dc_burns: { amount: bigint }
}

/** State of the transaction being written. */
export interface Scene {
  readonly ledger: Ledger
  readonly random: Random
  readonly addresses: Addresses
  readonly sums: ChainSums
  /** The table whose lines are kept; rows of other tables are only counted. */
  readonly folder: ChainFolder
  readonly lines: string[]
  /** Number of rows so far, by table. */
  readonly counts: Record<ChainFolder, number>
  block: number
  /** Seconds since 1970. */
  time: number
  fee: number
  hash: string
  /** Numbers of actors in `Addresses`: first those with a role of their own, then those who share a role. */
  actors: number[]
  /** Number of actors with a role of their own. */
  single: number
  /** Number of gateways at the current block. */
  gateways: number
  /** Price of one token in USD times 10^8; null before oracles exist. */
  price: number | null
}

/** Counts a row; returns true if its line is kept. */
function isKept({ counts, folder }: Scene, ofRow: ChainFolder): boolean {
  counts[ofRow] += 1
  return ofRow === folder
}

/** Writes a row of the current transaction; `fields` is its JSON as a quoted cell. */
export function writeTransaction(scene: Scene, type: string, fields: string): void {
  const { lines, block, hash, time } = scene
  if (isKept(scene, 'transactions')) lines.push(`${block},${hash},${type},${fields},${time}\n`)
}

export function writeActor(scene: Scene, actor: number, role: string): void {
  const { lines, addresses, hash, block } = scene
  if (isKept(scene, 'transaction_actors'))
    lines.push(`${addressAt(addresses, actor)},${role},${hash},${block}\n`)
}

export function writePacket(scene: Scene, gateway: number, packets: number, dcs: number): void {
  if (!isKept(scene, 'packets')) return
  const { lines, addresses, sums, block, hash, time } = scene
  lines.push(`${block},${hash},${time},${addressAt(addresses, gateway)},${packets},${dcs}\n`)
  sums.packets.num_packets += BigInt(packets)
  sums.packets.num_dcs += BigInt(dcs)
}

export function writeReward(
  scene: Scene,
  account: number,
  gateway: number,
  amount: number,
  type: string,
): void {
  if (!isKept(scene, 'rewards')) return
  const { lines, addresses, sums, block, hash, time } = scene
  const [payee, earner] = [addressAt(addresses, account), addressAt(addresses, gateway)]
  lines.push(`${block},${hash},${time},${payee},${earner},${amount},${type}\n`)
  sums.rewards.amount += BigInt(amount)
}

export function writeBurn(
  scene: Scene,
  actor: number,
  type: BurnType | 'state_channel',
  amount: number,
): void {
  if (!isKept(scene, 'dc_burns')) return
  const { lines, addresses, sums, price, block, hash, time } = scene
  const payer = addressAt(addresses, actor)
  lines.push(`${block},${hash},${payer},${type},${amount},${price ?? ''},${time}\n`)
  sums.dc_burns.amount += BigInt(amount)
}
