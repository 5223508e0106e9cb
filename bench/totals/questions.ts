import { parse } from 'node:querystring'
import { writeInstant } from '../../src/base/values/instant.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { type CheckedQuery, querySchema } from '../../src/doors/contract/query-schema.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import type { SampleEpoch } from '../../src/write/sample/epochs.ts'
import { openDraws } from '../../src/write/sample/hotspots.ts'
import { deriveSeed, openRandom, type Random } from '../../src/write/sample/random.ts'
import { keyText } from '../../src/write/wire/keys.ts'
import { epochsOfWorkload, type Workload } from '../support/network.ts'

/** One request, as an address and as the repository takes it. */
export interface Question {
  readonly resource: Resource
  readonly verb: 'list' | 'totals'
  readonly address: string
  readonly query: CheckedQuery
}

/** Requests of one sort; random ones are drawn from the seed. */
export interface Sort {
  readonly name: string
  readonly questions: readonly Question[]
}

export type Parameters = Readonly<Record<string, string>>

/** So many different requests of a random sort, more than any cache of statements holds. */
const DISTINCT = 200
const PER_PAGE = 100
const SECOND = 1_000_000n

export function sortsOf(workload: Workload, at: Snapshot): readonly Sort[] {
  const epochs = epochsOfWorkload(workload)
  const first = epochs[0] as SampleEpoch
  const iot = openDraws(first, 'iot')
  const mobile = openDraws(first, 'mobile')
  return [
    ...sortsOfNetwork(iotRewardShares, 'IoT', epochs, at, (random) => iot(random).key),
    ...sortsOfNetwork(mobileRewardShares, 'Mobile', epochs, at, (random) => mobile(random).key),
  ]
}

function sortsOfNetwork(
  resource: Resource,
  label: string,
  epochs: readonly SampleEpoch[],
  at: Snapshot,
  drawKey: (random: Random) => Uint8Array,
): readonly Sort[] {
  const lastPage = Math.ceil(at.table(resource).rows / PER_PAGE)
  const whole = rangeOf(epochs, 0, epochs.length)
  const hotspot = (random: Random) => ({ hotspot_key: keyText(drawKey(random)) })
  const page = (number: number) => ({ ...whole, page: String(number), per_page: String(PER_PAGE) })

  const one = (name: string, verb: Question['verb'], parameters: Parameters): Sort => ({
    name: `${label}: ${name}`,
    questions: [ask(resource, verb, parameters)],
  })
  const many = (name: string, verb: Question['verb'], draw: (random: Random) => Parameters): Sort => {
    const random = openRandom(deriveSeed((epochs[0] as SampleEpoch).seed, 'bench', resource.name, name))
    const questions = Array.from({ length: DISTINCT }, () => ask(resource, verb, draw(random)))
    return { name: `${label}: ${name}`, questions }
  }

  return [
    one('totals, whole range', 'totals', whole),
    many('totals, random range', 'totals', (random) => drawRange(epochs, random)),
    one('totals, one reward_type', 'totals', { ...whole, reward_type: 'gateway_reward' }),
    many('totals, one hotspot, whole range', 'totals', (random) => ({ ...whole, ...hotspot(random) })),
    many('totals, one hotspot, random range', 'totals', (random) => ({
      ...drawRange(epochs, random),
      ...hotspot(random),
    })),
    one('first page', 'list', page(1)),
    many('random page', 'list', (random) => page(1 + random.below(lastPage))),
    one('last page', 'list', page(lastPage)),
  ]
}

/** A request as its address says it, checked as the server would. */
export function ask(resource: Resource, verb: Question['verb'], parameters: Parameters): Question {
  const text = new URLSearchParams(parameters).toString()
  const path = `/v1/net${resource.rest?.path}${verb === 'totals' ? '/totals' : ''}`
  const query = querySchema(resource, verb)({ ...parse(text) })
  return { resource, verb, address: `${path}?${text}`, query }
}

/** One day up to all of them, anywhere. */
function drawRange(epochs: readonly SampleEpoch[], random: Random): Parameters {
  const days = 1 + random.below(epochs.length)
  return rangeOf(epochs, random.below(epochs.length - days + 1), days)
}

/** Both ends are included, so `from` lies just before the first end of a period. */
function rangeOf(epochs: readonly SampleEpoch[], first: number, days: number): Parameters {
  const from = (epochs[first] as SampleEpoch).end - SECOND
  return { from: writeInstant(from), to: writeInstant((epochs[first + days - 1] as SampleEpoch).end) }
}
