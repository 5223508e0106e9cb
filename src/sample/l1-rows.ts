import { type Addresses, putAddress } from './l1-addresses.ts'
import { HASH_LENGTH, type Scene } from './l1-fields.ts'
import type { LineFiles } from './l1-line-files.ts'
import { putBytes, putCell, putComma, putInteger, putText, type Text } from './l1-text.ts'
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

/** One row of the transaction under way; `putFields` writes its JSON as a quoted cell. */
export function writeTransaction(
  file: LineFiles,
  scene: Scene,
  type: string,
  putFields: (text: Text, scene: Scene) => void,
): void {
  const text = file.line()
  putBlockAndHash(text, scene)
  putCell(text, type)
  putFields(text, scene)
  putComma(text)
  endWith(file, text, scene.time)
}

export function writeActor(file: LineFiles, scene: Scene, actor: number, role: string): void {
  const text = file.line()
  putAddress(text, scene.addresses, actor)
  putComma(text)
  putCell(text, role)
  putBytes(text, scene.hash, 0, HASH_LENGTH)
  putComma(text)
  endWith(file, text, scene.block)
}

export function writePacket(
  file: LineFiles,
  scene: Scene,
  gateway: number,
  packets: number,
  dcs: number,
): void {
  const text = file.line()
  putBlockAndHash(text, scene)
  putCell(text, scene.time)
  putAddress(text, scene.addresses, gateway)
  putComma(text)
  putCell(text, packets)
  endWith(file, text, dcs)
}

export function writeReward(
  file: LineFiles,
  scene: Scene,
  account: number,
  gateway: number,
  amount: number,
  type: string,
): void {
  const text = file.line()
  putBlockAndHash(text, scene)
  putCell(text, scene.time)
  putAddress(text, scene.addresses, account)
  putComma(text)
  putAddress(text, scene.addresses, gateway)
  putComma(text)
  putCell(text, amount)
  putText(text, type)
  putText(text, '\n')
  file.endLine()
}

/** `price` is null while there are no price oracles. */
export function writeBurn(
  file: LineFiles,
  scene: Scene,
  actor: number,
  type: BurnType | 'state_channel',
  amount: number,
  price: number | null,
): void {
  const text = file.line()
  putBlockAndHash(text, scene)
  putAddress(text, scene.addresses, actor)
  putComma(text)
  putCell(text, type)
  putCell(text, amount)
  if (price !== null) putInteger(text, price)
  putComma(text)
  endWith(file, text, scene.time)
}

function putBlockAndHash(text: Text, scene: Scene): void {
  putCell(text, scene.block)
  putBytes(text, scene.hash, 0, HASH_LENGTH)
  putComma(text)
}

function endWith(file: LineFiles, text: Text, integer: number): void {
  putInteger(text, integer)
  putText(text, '\n')
  file.endLine()
}

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
