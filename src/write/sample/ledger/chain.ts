import { itemAt } from '../../../base/values/item-at.ts'
import { int32At } from '../../../base/values/typed-at.ts'
import { deriveSeed, openRandom } from '../random.ts'
import { type Addresses, drawAccount } from './addresses.ts'
import { compileFields, drawHash } from './fields.ts'
import {
  ACTORS,
  BURNS,
  blockTime,
  EPOCH_BLOCKS,
  firstBlockOf,
  grownShare,
  type Ledger,
  PACKETS,
  REWARDS,
  transactionsBefore,
} from './ledger.ts'
import { writeRewards } from './rewards.ts'
import {
  type ChainFolder,
  type ChainSums,
  type Scene,
  writeActor,
  writeBurn,
  writePacket,
  writeTransaction,
} from './rows.ts'
import {
  type BurnType,
  type Player,
  rewardsKinds,
  stateChannelClose,
  type TransactionKind,
  transactionKinds,
} from './transaction-kinds.ts'

/** Share of the chain after which validators do the challenges, and after which price oracles exist. */
const VALIDATORS_FROM = 0.75
const PRICES_FROM = 0.2
const CLIENTS = { least: 6, spread: 25 } as const
const UNWITNESSED = 0.75

/** Amounts in Data Credits; a fee is drawn for each transaction. */
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
const channelKind = itemAt(kinds, transactionKinds.indexOf(stateChannelClose))
const rewardKinds = rewardsKinds.map(compiled)
/** A thousand draws for each part of the chain. */
const draws = ([0, 1] as const).map((part) =>
  kinds.flatMap((kind) => Array.from({ length: kind.share[part] }, () => kind)),
)

/**
 * Yields the lines of an event table in the order of the chain, and adds its columns to `sums`. Each call draws all
 * tables again, because their rows depend on each other.
 */
export function* chainLines(
  ledger: Ledger,
  addresses: Addresses,
  folder: ChainFolder,
  sums: ChainSums,
): Generator<string> {
  const transaction = { block: 0, time: 0, fee: 0, hash: '', actors: [], single: 0, gateways: 0, price: null }
  const counts = { transactions: 0, transaction_actors: 0, packets: 0, rewards: 0, dc_burns: 0 }
  const scene: Scene = {
    ...{ ledger, random: openRandom(), addresses, sums, folder, lines: [], counts },
    ...transaction,
  }
  const seed = deriveSeed(ledger.seed, 'ledger', 'chain')
  for (let epoch = 0; epoch < ledger.epochs; epoch += 1) {
    scene.random.restart(seed, epoch)
    writeEpoch(scene, epoch)
    yield* scene.lines
    scene.lines.length = 0
  }
}

/** Writes an epoch: the drawn transactions, then a close of state channels, then the rewards. */
function writeEpoch(scene: Scene, epoch: number): void {
  const { ledger, random, counts } = scene
  const before = transactionsBefore(ledger, epoch)
  const until = transactionsBefore(ledger, epoch + 1)
  const firstBlock = firstBlockOf(ledger, epoch)
  const part = firstBlock < VALIDATORS_FROM * ledger.blocks ? 0 : 1
  for (let at = before; at < until; at += 1) {
    const remaining = until - at
    beginTransaction(scene, firstBlock + Math.floor(((at - before) * EPOCH_BLOCKS) / (until - before)))
    const drawn = random.pick(itemAt(draws, part))
    const kind = remaining === 1 ? itemAt(rewardKinds, part) : remaining === 2 ? channelKind : drawn
    // Later transactions of the epoch need at most four actors each.
    const room = ACTORS * (until - remaining + 1) - counts.transaction_actors - kind.actors.length
    cast(scene, kind, Math.max(0, room))
    writeTransaction(scene, kind.type, kind.fieldsOf(scene))
    writeActors(scene, kind)
    const burns = Math.max(0, BURNS * until - counts.dc_burns)
    for (const type of kind.burns?.slice(0, burns) ?? []) payFor(scene, type)
    if (kind !== channelKind) continue
    const packets = PACKETS * until - counts.packets
    const clients = CLIENTS.least + random.below(CLIENTS.spread)
    closeChannel(scene, remaining === 2 ? packets : Math.min(clients, packets), burns)
  }
  const rewards = REWARDS * until - counts.rewards
  writeRewards(scene, rewards, ACTORS * until - counts.transaction_actors)
}

function beginTransaction(scene: Scene, block: number): void {
  const { ledger, random } = scene
  scene.block = block
  scene.time = blockTime(ledger, block)
  scene.fee = 35_000 + random.below(30_000)
  scene.hash = drawHash(random)
  scene.gateways = Math.ceil(ledger.gateways * grownShare(ledger, block))
  scene.price = block < PRICES_FROM * ledger.blocks ? null : priceAt(ledger, block)
}

/** Draws the actors of a transaction; `room` limits those who share a role. */
function cast(scene: Scene, { actors, several }: Kind, room: number): void {
  const { random, addresses, gateways } = scene
  scene.actors = []
  for (const [, player] of actors) scene.actors.push(play[player](scene))
  scene.single = scene.actors.length
  if (several === undefined || (several.role === 'witness' && random.chance(UNWITNESSED))) return
  const [first, size] =
    several.player === 'gateway'
      ? [addresses.firstGateway, gateways]
      : [addresses.firstValidator, addresses.validators]
  const start = random.below(size)
  const count = Math.min(1 + random.below(several.most), size, room)
  for (let step = 0; step < count; step += 1) scene.actors.push(first + ((start + step) % size))
}

/** Draws the number of an actor in `Addresses`, by kind of player. */
const play: Readonly<Record<Player, (scene: Scene) => number>> = {
  account: ({ ledger, random, block }) => drawAccount(ledger, random, block),
  gateway: ({ random, addresses, gateways }) => addresses.firstGateway + random.below(gateways),
  validator: ({ random, addresses }) => addresses.firstValidator + random.below(addresses.validators),
  router: ({ random, addresses }) => addresses.firstRouter + random.below(addresses.routers),
  oracle: ({ random, addresses }) => addresses.firstOracle + random.below(addresses.oracles),
  owner: ({ actors, addresses }) => int32At(addresses.owners, itemAt(actors, 0) - addresses.firstGateway),
  first: ({ actors }) => itemAt(actors, 0),
  second: ({ actors }) => itemAt(actors, 1),
  third: ({ actors }) => itemAt(actors, 2),
}

function writeActors(scene: Scene, { actors, several }: Kind): void {
  for (const [at, actor] of scene.actors.entries()) {
    const role = at < scene.single ? actors[at]?.[0] : several?.role
    writeActor(scene, actor, role ?? '')
  }
}

function payFor(scene: Scene, type: BurnType): void {
  const amount = type === 'fee' ? scene.fee : burnAmounts[type]
  writeBurn(scene, scene.actors[1] ?? itemAt(scene.actors, 0), type, amount)
}

/** Writes packets of neighbouring gateways, starting with the packet receivers, and burns for some of them. */
function closeChannel(scene: Scene, clients: number, burns: number): void {
  const { random, addresses, gateways, actors, single } = scene
  const first = actors[single]
  const start = first === undefined ? random.below(gateways) : first - addresses.firstGateway
  for (let client = 0; client < Math.min(clients, gateways); client += 1) {
    const gateway = addresses.firstGateway + ((start + client) % gateways)
    const packets = 1 + Math.floor(40 / (random.unit() + 0.001))
    const dcs = packets * (1 + random.below(4))
    writePacket(scene, gateway, packets, dcs)
    if (client < burns) writeBurn(scene, gateway, 'state_channel', dcs)
  }
}

/**
 * Returns the price of one token in USD times 10^8. It rises and falls once during the life of the chain, with some
 * noise.
 */
function priceAt(ledger: Ledger, block: number): number {
  const lived = block / ledger.blocks
  const noise = (Math.floor(block / 10) * 7919) % 1_000_000
  return 100_000_000 + Math.floor(72e9 * (lived * (1 - lived)) ** 2) + noise
}
