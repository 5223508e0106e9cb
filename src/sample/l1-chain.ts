import { type Addresses, drawAccount } from './l1-addresses.ts'
import { compileFields, drawHash, openScene, type Scene } from './l1-fields.ts'
import {
  ACTORS,
  BURNS,
  EPOCH_BLOCKS,
  firstBlockOf,
  grownShare,
  type Ledger,
  PACKETS,
  REWARDS,
  timeOf,
  transactionsBefore,
} from './l1-ledger.ts'
import { writeRewards } from './l1-rewards.ts'
import {
  type ChainFiles,
  type EpochSums,
  type Stage,
  writeActor,
  writeBurn,
  writePacket,
  writeTransaction,
} from './l1-rows.ts'
import {
  type BurnType,
  type Player,
  rewardsKinds,
  stateChannelClose,
  type TransactionKind,
  transactionKinds,
} from './l1-transaction-kinds.ts'
import { deriveSeed, openRandom } from './random.ts'

/** Sums of columns over all rows that were written. */
export interface ChainSums {
  readonly rewards: { amount: bigint }
  readonly packets: { num_packets: bigint; num_dcs: bigint }
  readonly dc_burns: { amount: bigint }
}

/** Where on the chain, as a share of it, validators take over the challenges, and the price oracles begin. */
const VALIDATORS_FROM = 0.75
const PRICES_FROM = 0.2
const CLIENTS = { least: 6, spread: 25 } as const
const UNWITNESSED = 0.75

/** Data Credits; a fee is drawn for each transaction. */
const burnAmounts: Readonly<Record<Exclude<BurnType, 'fee'>, number>> = {
  add_gateway: 4_000_000,
  assert_location: 1_000_000,
  oui: 10_000_000,
  routing: 100_000,
}

type Kind = Omit<TransactionKind, 'actors'> & {
  readonly actors: readonly (readonly [role: string, player: Player])[]
  readonly fieldsOf: (scene: Scene) => string
}
const compiled = (kind: TransactionKind): Kind => ({
  ...kind,
  actors: Object.entries(kind.actors),
  fieldsOf: compileFields(kind.fields, kind.type),
})
const kinds = transactionKinds.map(compiled)
const channelKind = kinds[transactionKinds.indexOf(stateChannelClose)] as Kind
const rewardKinds = rewardsKinds.map(compiled)
/** A thousand draws for each part of the chain. */
const draws = [0, 1].map((part) =>
  kinds.flatMap((kind) => Array.from({ length: kind.share[part] as number }, () => kind)),
)

/** Writes the event tables in the order of the chain, epoch after epoch. Errors: those of the files. */
export async function writeChain(
  ledger: Ledger,
  addresses: Addresses,
  files: ChainFiles,
): Promise<ChainSums> {
  const sums = {
    rewards: { amount: 0n },
    packets: { num_packets: 0n, num_dcs: 0n },
    dc_burns: { amount: 0n },
  }
  const writeEpoch = openEpochs(ledger, addresses, files)
  for (let epoch = 0; epoch < ledger.epochs; epoch += 1) {
    const sum = writeEpoch(epoch)
    sums.rewards.amount += BigInt(sum.rewards)
    sums.packets.num_packets += BigInt(sum.packets)
    sums.packets.num_dcs += BigInt(sum.dcs)
    sums.dc_burns.amount += BigInt(sum.burns)
    for (const file of Object.values(files)) await file.drain()
  }
  return sums
}

/** Writes an epoch by its number: what was drawn, then a close of state channels, then the rewards. */
function openEpochs(ledger: Ledger, addresses: Addresses, files: ChainFiles): (epoch: number) => EpochSums {
  const seed = deriveSeed(ledger.seed, 'ledger', 'chain')
  const random = openRandom()
  const scene = openScene(random, addresses)
  const stage: Stage = { scene, files, addresses, gateways: 0, price: null, sums: noSums() }

  return (epoch) => {
    random.restart(seed, epoch)
    stage.sums = noSums()
    const before = transactionsBefore(ledger, epoch)
    const until = transactionsBefore(ledger, epoch + 1)
    const firstBlock = firstBlockOf(ledger, epoch)
    const part = firstBlock < VALIDATORS_FROM * ledger.blocks ? 0 : 1
    for (let at = before; at < until; at += 1) {
      const left = until - at
      setScene(ledger, stage, firstBlock + Math.floor(((at - before) * EPOCH_BLOCKS) / (until - before)))
      const drawn = draws[part]?.[random.below(1000)]
      const kind = (left === 1 ? rewardKinds[part] : left === 2 ? channelKind : drawn) as Kind
      // Those who come later in the epoch need at most four actors each.
      const room = ACTORS * (until - left + 1) - files.transaction_actors.lines - kind.actors.length
      cast(ledger, stage, kind, Math.max(0, room))
      writeTransaction(stage, kind.type, kind.fieldsOf(scene))
      writeActors(stage, kind)
      const burns = Math.max(0, BURNS * until - files.dc_burns.lines)
      for (const type of kind.burns?.slice(0, burns) ?? []) payFor(stage, type)
      if (kind !== channelKind) continue
      const packets = PACKETS * until - files.packets.lines
      const clients = CLIENTS.least + random.below(CLIENTS.spread)
      closeChannel(stage, left === 2 ? packets : Math.min(clients, packets), burns)
    }
    const rewards = REWARDS * until - files.rewards.lines
    writeRewards(ledger, stage, rewards, ACTORS * until - files.transaction_actors.lines)
    return stage.sums
  }
}

const noSums = (): EpochSums => ({ rewards: 0, packets: 0, dcs: 0, burns: 0 })

function setScene(ledger: Ledger, stage: Stage, block: number): void {
  const { scene } = stage
  scene.block = block
  scene.time = timeOf(ledger, block)
  scene.fee = 35_000 + scene.random.below(30_000)
  scene.hash = drawHash(scene.random)
  stage.gateways = Math.ceil(ledger.gateways * grownShare(ledger, block))
  stage.price = block < PRICES_FROM * ledger.blocks ? null : priceAt(ledger, block)
}

/** Chooses who takes part; at most `room` of those who share a role. */
function cast(ledger: Ledger, stage: Stage, { actors, several }: Kind, room: number): void {
  const { scene, addresses, gateways } = stage
  const { random } = scene
  scene.count = 0
  for (const [, player] of actors) {
    scene.actors[scene.count] = play[player](stage, ledger)
    scene.count += 1
  }
  scene.single = scene.count
  if (several === undefined || (several.role === 'witness' && random.chance(UNWITNESSED))) return
  const [first, size] =
    several.player === 'gateway'
      ? [addresses.firstGateway, gateways]
      : [addresses.firstValidator, addresses.validators]
  const start = random.below(size)
  const count = Math.min(1 + random.below(several.most), size, room)
  for (let step = 0; step < count; step += 1) {
    scene.actors[scene.count] = first + ((start + step) % size)
    scene.count += 1
  }
}

/** The number in `Addresses` of who plays a role. */
const play: Readonly<Record<Player, (stage: Stage, ledger: Ledger) => number>> = {
  account: ({ scene }, ledger) => drawAccount(ledger, scene.random, scene.block),
  gateway: ({ scene, addresses, gateways }) => addresses.firstGateway + scene.random.below(gateways),
  validator: ({ scene, addresses }) => addresses.firstValidator + scene.random.below(addresses.validators),
  router: ({ scene, addresses }) => addresses.firstRouter + scene.random.below(addresses.routers),
  oracle: ({ scene, addresses }) => addresses.firstOracle + scene.random.below(addresses.oracles),
  owner: ({ scene, addresses }) =>
    addresses.owners[(scene.actors[0] as number) - addresses.firstGateway] as number,
  first: ({ scene }) => scene.actors[0] as number,
  second: ({ scene }) => scene.actors[1] as number,
  third: ({ scene }) => scene.actors[2] as number,
}

function writeActors(stage: Stage, { actors, several }: Kind): void {
  const { scene } = stage
  for (let at = 0; at < scene.count; at += 1) {
    const role = at < scene.single ? actors[at]?.[0] : several?.role
    writeActor(stage, scene.actors[at] as number, role as string)
  }
}

function payFor(stage: Stage, type: BurnType): void {
  const { scene } = stage
  const amount = type === 'fee' ? scene.fee : burnAmounts[type]
  const payer = scene.actors[Math.min(1, scene.count - 1)] as number
  writeBurn(stage, payer, type, amount)
}

/** The packets of neighbouring gateways, of whom the first are the packet receivers, and burns for some of them. */
function closeChannel(stage: Stage, clients: number, burns: number): void {
  const { scene, addresses, gateways } = stage
  const { random } = scene
  const first = scene.actors[scene.single] as number
  const start = scene.count > scene.single ? first - addresses.firstGateway : random.below(gateways)
  for (let client = 0; client < Math.min(clients, gateways); client += 1) {
    const gateway = addresses.firstGateway + ((start + client) % gateways)
    const packets = 1 + Math.floor(40 / (random.unit() + 0.001))
    const dcs = packets * (1 + random.below(4))
    writePacket(stage, gateway, packets, dcs)
    if (client < burns) writeBurn(stage, gateway, 'state_channel', dcs)
  }
}

/** USD times 10^8 for one token: rises and falls once over the life of the chain, with some noise. */
function priceAt(ledger: Ledger, block: number): number {
  const lived = block / ledger.blocks
  const noise = (Math.floor(block / 10) * 7919) % 1_000_000
  return 100_000_000 + Math.floor(72e9 * (lived * (1 - lived)) ** 2) + noise
}
