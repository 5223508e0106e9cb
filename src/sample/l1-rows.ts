import { type Addresses, addressOf } from './l1-addresses.ts'
import type { Scene } from './l1-fields.ts'
import type { LineFiles } from './l1-line-files.ts'
import type { BurnType } from './l1-transaction-kinds.ts'

/** Columns of the archive's event tables, by folder. */
export const chainColumns = {
  transactions: 'block,hash,type,fields,time',
  transaction_actors: 'actor,actor_role,transaction_hash,block',
  packets: 'block,transaction_hash,time,gateway,num_packets,num_dcs',
  rewards: 'block,transaction_hash,time,account,gateway,amount,type',
  dc_burns: 'block,transaction_hash,actor,type,amount,oracle_price,time',
} as const

export type ChainFolder = keyof typeof chainColumns
export type ChainFiles = Readonly<Record<ChainFolder, LineFiles>>

/** What an epoch adds to the sums of the archive: far below 2^53. */
export interface EpochSums {
  rewards: number
  packets: number
  dcs: number
  burns: number
}

/** All that the transactions of a chain are written with. */
export interface Stage {
  readonly scene: Scene
  readonly files: ChainFiles
  readonly addresses: Addresses
  /** Gateways that are there at the block under way. */
  gateways: number
  /** USD times 10^8 for one token; null before there are oracles. */
  price: number | null
  sums: EpochSums
}

/** Writes a row of the transaction under way; `fields` is its JSON as a quoted cell. */
export function writeTransaction({ files, scene }: Stage, type: string, fields: string): void {
  files.transactions.write(`${scene.block},${scene.hash},${type},${fields},${scene.time}\n`)
}

export function writeActor({ files, scene, addresses }: Stage, actor: number, role: string): void {
  files.transaction_actors.write(`${addressOf(addresses, actor)},${role},${scene.hash},${scene.block}\n`)
}

export function writePacket(stage: Stage, gateway: number, packets: number, dcs: number): void {
  const { files, scene, addresses, sums } = stage
  const { block, hash, time } = scene
  files.packets.write(`${block},${hash},${time},${addressOf(addresses, gateway)},${packets},${dcs}\n`)
  sums.packets += packets
  sums.dcs += dcs
}

export function writeReward(
  { files, scene, addresses, sums }: Stage,
  account: number,
  gateway: number,
  amount: number,
  type: string,
): void {
  const { block, hash, time } = scene
  const [payee, earner] = [addressOf(addresses, account), addressOf(addresses, gateway)]
  files.rewards.write(`${block},${hash},${time},${payee},${earner},${amount},${type}\n`)
  sums.rewards += amount
}

export function writeBurn(
  { files, scene, addresses, price, sums }: Stage,
  actor: number,
  type: BurnType | 'state_channel',
  amount: number,
): void {
  const { block, hash, time } = scene
  const payer = addressOf(addresses, actor)
  files.dc_burns.write(`${block},${hash},${payer},${type},${amount},${price ?? ''},${time}\n`)
  sums.burns += amount
}
