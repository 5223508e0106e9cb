import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import type { Random } from '../../src/write/sample/random.ts'
import { readExact } from '../../test/support/exact-json.ts'
import { hotspot } from '../../test/support/lakes/make-lake.ts'
import { pick } from '../../test/support/network/draw.ts'
import { dateOf, type Files, HOTSPOTS, iotAmounts, type Network, totalsOf } from './growth.ts'

/** One request and what has to come; `check` gets the body, and the files of the snapshot that the reply names. */
export interface Question {
  readonly kind: string
  readonly path: string
  /** A GraphQL query, sent by POST. */
  readonly query?: string
  readonly status: number
  /** Asks for an earlier snapshot: 410 is right once a vacuum has come between. */
  readonly asOf?: string
  /** Left out where the body never changes. */
  readonly check?: (body: string, files: Files) => void
}

/** What is known to those who ask. */
export interface Known {
  /** Days that are in. */
  readonly days: number
  /** Earlier snapshots. */
  readonly snapshots: readonly string[]
}

type Make = (random: Random, known: Known) => Question

const l2 = '/v1/net/l2'
/** Days of the made-up network that the lake begins with. */
const BASE = 'from=2024-06-02&to=2024-07-01'

const network = (random: Random): Network => (random.chance(0.5) ? 'iot' : 'mobile')

/** Two days, the first before the last, which may not be in yet. */
function someDays(random: Random, { days }: Known): readonly [number, number] {
  const [one, other] = [random.below(days + 1), random.below(days + 1)]
  return [Math.min(one, other), Math.max(one, other) + 1]
}

const range = ([first, last]: readonly [number, number]) => `from=${dateOf(first)}&to=${dateOf(last)}`
const nonZero = (totals: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== 0n))

function totals(random: Random, known: Known, asOf?: string): Question {
  const [of, days] = [network(random), someDays(random, known)]
  return {
    kind: asOf === undefined ? 'totals' : 'as_of',
    path: `${l2}/${of}-reward-shares/totals?${range(days)}${asOf === undefined ? '' : `&as_of=${asOf}`}`,
    status: 200,
    ...(asOf !== undefined && { asOf }),
    check: (body, files) => deepStrictEqual(nonZero(readExact(body)), nonZero(totalsOf(of, files, days))),
  }
}

const hotspotTotals: Make = (random, known) => {
  const [of, days, number] = [network(random), someDays(random, known), random.below(HOTSPOTS)]
  return {
    kind: 'totals of a hotspot',
    path: `${l2}/${of}-reward-shares/totals?${range(days)}&hotspot_key=${hotspot(number).text}`,
    status: 200,
    check: (body, files) =>
      deepStrictEqual(nonZero(readExact(body)), nonZero(totalsOf(of, files, days, number))),
  }
}

interface Share {
  readonly reward_detail: { readonly beacon_amount?: bigint; readonly amount?: bigint }
}

const page: Make = (random, known) => {
  const [days, size] = [someDays(random, known), pick([10, 25, 100], random)]
  const number = 1 + random.below(6)
  return {
    kind: 'page',
    path: `${l2}/iot-reward-shares?${range(days)}&per_page=${size}&page=${number}`,
    status: 200,
    check(body, files) {
      const amounts = iotAmounts(files, ...days)
      const reply = readExact<{ meta: { total_pages: bigint }; records: Share[] }>(body)
      const seen = reply.records.map(
        ({ reward_detail: { beacon_amount, amount } }) => beacon_amount ?? amount,
      )
      deepStrictEqual(seen, amounts.slice((number - 1) * size, number * size))
      strictEqual(reply.meta.total_pages, BigInt(Math.max(1, Math.ceil(amounts.length / size))))
    },
  }
}

const series: Make = (random, known) => {
  const [of, days] = [network(random), someDays(random, known)]
  return {
    kind: 'series',
    path: `${l2}/${of}-reward-shares/totals/series?${range(days)}&interval=month`,
    status: 200,
    check(body, files) {
      const { records } = readExact<{ records: Record<string, bigint | null>[] }>(body)
      for (const [name, expected] of Object.entries(totalsOf(of, files, days))) {
        // Amounts of a token that no manifest names yet are told too.
        strictEqual(
          records.reduce((sum, row) => sum + (row[name] ?? 0n), 0n),
          expected,
          name,
        )
      }
    },
  }
}

interface Lists {
  readonly data: Readonly<Record<string, { nodes: { beaconAmount: string | null; amount: string | null }[] }>>
}

/** One list of a hundred, or as many of them as a query may have. */
const graphql: Make = (random, known) => {
  const lists = Array.from({ length: random.chance(0.1) ? 10 : 1 }, () => someDays(random, known))
  const ask = ([first, last]: readonly [number, number], index: number) =>
    `l${index}: iotRewardShares(first: 100, startPeriod: "${dateOf(first)}", endPeriod: "${dateOf(last)}")` +
    ' { nodes { beaconAmount amount hotspotKey startPeriod endPeriod rewardType } }'
  return {
    kind: lists.length > 1 ? 'largest GraphQL' : 'GraphQL',
    path: '/graphql',
    query: `{ ${lists.map(ask).join(' ')} }`,
    status: 200,
    check(body, files) {
      const { data } = JSON.parse(body) as Lists
      for (const [index, days] of lists.entries()) {
        const seen = data[`l${index}`]?.nodes.map((node) => BigInt(node.beaconAmount ?? node.amount ?? 0))
        deepStrictEqual(seen, iotAmounts(files, ...days).slice(0, 100))
      }
    },
  }
}

const exported: Make = (random, known) => {
  const [days, format] = [someDays(random, known), pick(['csv', 'ndjson'], random)]
  return {
    kind: 'export',
    path: `${l2}/iot-reward-shares?${range(days)}&format=${format}`,
    status: 200,
    check(body, files) {
      const lines = body.split('\n').filter((line) => /gateway_reward|operational_reward/.test(line))
      strictEqual(lines.length, iotAmounts(files, ...days).length)
    },
  }
}

const constant = (kind: string, path: (random: Random) => string, status = 200): Make => {
  return (random) => ({ kind, path: path(random), status })
}

const kinds: readonly (readonly [weight: number, Make])[] = [
  [20, page],
  [14, (random, known) => totals(random, known)],
  [12, hotspotTotals],
  [8, series],
  [12, graphql],
  [4, exported],
  [6, (random, known) => totals(random, known, pick(known.snapshots, random))],
  [
    6,
    constant(
      'page',
      (random) => `${l2}/${network(random)}-reward-shares?${BASE}&page=${1 + random.below(90)}`,
    ),
  ],
  [4, constant('hotspots', (random) => `${l2}/hotspots?per_page=50&page=${1 + random.below(20)}`)],
  [6, constant('ledger', (random) => `/v1/net/l1/rewards?per_page=100&page=${1 + random.below(90)}`)],
  [4, constant('lookup', () => `${l2}/makers?per_page=10`)],
  [2, constant('wrong', (random) => `${l2}/hotspots/nobody-${random.below(9)}`, 404)],
  [2, constant('wrong', (random) => `${l2}/iot-reward-shares?from=2024-13-0${random.below(9)}&to=x`, 422)],
]

const whole = kinds.reduce((sum, [weight]) => sum + weight, 0)

export function drawQuestion(random: Random, known: Known): Question {
  let left = random.below(whole)
  const drawn = kinds.find(([weight]) => {
    left -= weight
    return left < 0
  })
  ok(drawn !== undefined)
  return drawn[1](random, known)
}
