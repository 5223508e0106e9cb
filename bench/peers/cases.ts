import { writeInstant } from '../../src/base/values/instant.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import type { SampleEpoch } from '../../src/write/sample/epochs.ts'
import { openDraws } from '../../src/write/sample/hotspots.ts'
import { deriveSeed, openRandom, type Random } from '../../src/write/sample/random.ts'
import { keyText } from '../../src/write/wire/keys.ts'
import { epochsOfWorkload, type Workload } from '../support/network.ts'
import { ask, type Parameters, type Question } from './questions.ts'

/**
 * Who answers: the served program that remembers no answer, the same as it comes, the first with two workers, a bare server
 * and Fastify alone with the same bytes, raw DuckDB, and PostgreSQL with tables made for these requests.
 */
export type Label = 'ours' | 'remembering' | 'two' | 'bare' | 'fastify' | 'duckdb' | 'strong'

export interface Case {
  readonly id: string
  readonly name: string
  readonly questions: readonly Question[]
  /** Who takes part at how many requests at a time. */
  readonly turns: readonly { readonly connections: number; readonly implementations: readonly Label[] }[]
}

/** More than a memory of answers should hold. */
const HOSTILE = 30_000
const HOTSPOTS_ASKED = 20_000
/** So many that no turn asks one of them twice. */
const PAGES_ASKED = 2000
const LISTS_ASKED = 5000
const INSIDE_ASKED = 200
const PER_PAGE = 100
const MOST_DAYS = 90
const LIST_DAYS = 30
const SECOND = 1_000_000n
const SECONDS_A_DAY = 86_400

const everyone = ['ours', 'remembering', 'bare', 'duckdb', 'strong'] as const
const alone = { connections: 1, implementations: everyone }
const httpOnly = (connections: number) => ({
  connections,
  implementations: ['ours', 'remembering', 'bare'] as const,
})
const several = ([16, 64] as const).map((connections) => ({
  connections,
  implementations: ['ours', 'remembering', 'two', 'bare', 'strong'] as const,
}))
const manyTotals = {
  connections: 64,
  implementations: ['ours', 'remembering', 'two', 'bare', 'fastify', 'strong'] as const,
}
const someTotals = {
  connections: 16,
  implementations: ['ours', 'bare', 'strong'] as const,
}

/** What the questions of all cases are drawn from. */
type Drawing = ReturnType<typeof drawingOf>

function drawingOf(workload: Workload) {
  const epochs = epochsOfWorkload(workload)
  const first = epochs[0] as SampleEpoch
  const drawHotspot = openDraws(first, 'iot')
  return {
    epochs,
    whole: rangeOf(epochs, 0, epochs.length),
    gateway: { reward_type: 'gateway_reward' },
    /** Different ones, fewer where there are no more. */
    many(id: string, count: number, draw: (random: Random) => Question): readonly Question[] {
      const random = openRandom(deriveSeed(first.seed, 'peers', id))
      const drawn = Array.from({ length: 2 * count }, () => draw(random))
      return [...new Map(drawn.map((one) => [one.address, one])).values()].slice(0, count)
    },
    hotspot: (random: Random) => ({ hotspot_key: keyText(drawHotspot(random).key) }),
  }
}

/**
 * Cases over the IoT shares of a network, as many as its lake has.
 * Random requests are drawn from the seed, and random bounds lie anywhere within a day.
 */
export function casesOf(workload: Workload, at: Snapshot): readonly Case[] {
  const drawing = drawingOf(workload)
  return [...totalsCases(drawing), ...pageCases(drawing, at)]
}

function totalsCases({ epochs, whole, gateway, many, hotspot }: Drawing): readonly Case[] {
  const totals = (parameters: Parameters) => ask(iotRewardShares, 'totals', parameters)
  return [
    {
      ...{ id: 'T1', name: 'totals, whole range', questions: [totals(whole)] },
      turns: [alone, httpOnly(64)],
    },
    {
      ...{ id: 'T2', name: 'totals, random range of 1 to 90 days' },
      questions: many('T2', HOSTILE, (random) => totals(drawRange(epochs, random))),
      turns: [alone, manyTotals],
    },
    {
      ...{ id: 'T3', name: 'totals, random hotspot, random range' },
      questions: many('T3', HOTSPOTS_ASKED, (random) =>
        totals({ ...drawRange(epochs, random), ...hotspot(random) }),
      ),
      turns: [alone, someTotals, manyTotals],
    },
    {
      ...{ id: 'T6', name: 'totals, bounds inside an epoch, one reward_type' },
      questions: many('T6', INSIDE_ASKED, (random) => totals({ ...drawRange(epochs, random), ...gateway })),
      turns: [alone],
    },
  ]
}

function pageCases({ epochs, whole, gateway, many, hotspot }: Drawing, at: Snapshot): readonly Case[] {
  const { statistics } = at.table(iotRewardShares)
  const everything = { from: 0n, to: 2n ** 62n }
  const rows = {
    all: statistics.count(everything),
    gateway: statistics.count({ ...everything, type: 'gateway_reward' }),
  }
  const listed = rangeOf(epochs, Math.max(0, epochs.length - LIST_DAYS), Math.min(LIST_DAYS, epochs.length))
  const page = (range: Parameters, number: number, more: Parameters = {}) =>
    ask(iotRewardShares, 'list', { ...range, ...more, page: String(number), per_page: String(PER_PAGE) })
  const lastPage = (count: number) => Math.ceil(count / PER_PAGE)
  const pages = (kind: string, more: Parameters, count: number) => [
    { id: 'P2', name: `page 1 of ${kind}`, questions: [page(whole, 1, more)] },
    {
      ...{ id: 'P2', name: `random page of ${kind}` },
      questions: many(`P2 ${kind}`, Math.min(PAGES_ASKED, lastPage(count)), (random) =>
        page(whole, 1 + random.below(lastPage(count)), more),
      ),
    },
    { id: 'P2', name: `last page of ${kind}`, questions: [page(whole, lastPage(count), more)] },
  ]
  const lists = many('P3', LISTS_ASKED, (random) => page(whole, 1, hotspot(random)))
  return [
    { id: 'P1', name: 'page 1 of 30 days', questions: [page(listed, 1)] },
    ...pages('all', {}, rows.all),
    ...pages('one reward_type', gateway, rows.gateway),
    { id: 'P3', name: 'list of one hotspot', questions: lists },
  ].map((one) => ({ ...one, turns: [alone, ...several] }))
}

/** So many days anywhere, from a second of the first to a second of the day after the last. */
function drawRange(epochs: readonly SampleEpoch[], random: Random): Parameters {
  const days = 1 + random.below(Math.min(MOST_DAYS, epochs.length))
  const first = epochs[random.below(epochs.length - days + 1)] as SampleEpoch
  const begin = first.start + BigInt(1 + random.below(SECONDS_A_DAY)) * SECOND
  const more = BigInt((days - 1) * SECONDS_A_DAY + random.below(SECONDS_A_DAY)) * SECOND
  return { from: writeInstant(begin), to: writeInstant(first.end + more) }
}

/** Both ends are included, so `from` lies just before the first end of a period. */
function rangeOf(epochs: readonly SampleEpoch[], first: number, days: number): Parameters {
  const from = (epochs[first] as SampleEpoch).end - SECOND
  return { from: writeInstant(from), to: writeInstant((epochs[first + days - 1] as SampleEpoch).end) }
}
