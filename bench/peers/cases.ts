import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { writeInstant } from '../../src/derive/instant.ts'
import type { Snapshot } from '../../src/lake/snapshot.ts'
import type { Epoch } from '../../src/sample/epochs.ts'
import { openDraws } from '../../src/sample/hotspots.ts'
import { deriveSeed, openRandom, type Random } from '../../src/sample/random.ts'
import { keyText } from '../../src/wire/keys.ts'
import { epochsOfWorkload, type Workload } from '../support/network.ts'
import { ask, type Parameters, type Question } from '../totals/questions.ts'

/**
 * Who answers: the served program that remembers no answer, the same as it comes, a bare server with the same bytes, raw
 * DuckDB, and PostgreSQL in two ways.
 */
export type Label = 'ours' | 'remembering' | 'bare' | 'duckdb' | 'original' | 'strong'

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
const PAGES_ASKED = 200
const PER_PAGE = 100
const MOST_DAYS = 90
const LIST_DAYS = 30
const SECOND = 1_000_000n
const SECONDS_A_DAY = 86_400

const everyone = ['ours', 'remembering', 'bare', 'duckdb', 'original', 'strong'] as const
const alone = { connections: 1, implementations: everyone }
const httpOnly = (connections: number) => ({
  connections,
  implementations: ['ours', 'remembering', 'bare'] as const,
})
const withPostgres = (connections: number) => ({
  connections,
  implementations: ['ours', 'bare', 'original', 'strong'] as const,
})

/** What the questions of all cases are drawn from. */
type Drawing = ReturnType<typeof drawingOf>

function drawingOf(workload: Workload) {
  const epochs = epochsOfWorkload(workload)
  const first = epochs[0] as Epoch
  const drawHotspot = openDraws(first, 'iot')
  return {
    epochs,
    whole: rangeOf(epochs, 0, epochs.length),
    gateway: { reward_type: 'gateway_reward' },
    many(id: string, count: number, draw: (random: Random) => Question): readonly Question[] {
      const random = openRandom(deriveSeed(first.seed, 'peers', id))
      return Array.from({ length: count }, () => draw(random))
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
      turns: [alone, httpOnly(64)],
    },
    {
      ...{ id: 'T3', name: 'totals, random hotspot, random range' },
      questions: many('T3', HOTSPOTS_ASKED, (random) =>
        totals({ ...drawRange(epochs, random), ...hotspot(random) }),
      ),
      turns: [alone, withPostgres(16), httpOnly(64)],
    },
    {
      ...{ id: 'T6', name: 'totals, bounds inside an epoch, one reward_type' },
      questions: many('T6', PAGES_ASKED, (random) => totals({ ...drawRange(epochs, random), ...gateway })),
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
  return [
    {
      ...{ id: 'P1', name: 'page 1 of 30 days', questions: [page(listed, 1)] },
      turns: [alone, httpOnly(16), httpOnly(64)],
    },
    {
      ...{ id: 'P2', name: 'page 1 of all', questions: [page(whole, 1)] },
      turns: [alone],
    },
    {
      ...{ id: 'P2', name: 'random page of all' },
      questions: many('P2', PAGES_ASKED, (random) => page(whole, 1 + random.below(lastPage(rows.all)))),
      turns: [alone, httpOnly(16)],
    },
    {
      ...{ id: 'P2', name: 'last page of all', questions: [page(whole, lastPage(rows.all))] },
      turns: [alone],
    },
    {
      ...{ id: 'P2', name: 'page 1 of one reward_type', questions: [page(whole, 1, gateway)] },
      turns: [{ connections: 1, implementations: ['ours', 'bare'] }],
    },
    {
      ...{ id: 'P2', name: 'last page of one reward_type' },
      questions: [page(whole, lastPage(rows.gateway), gateway)],
      turns: [{ connections: 1, implementations: ['ours', 'bare'] }],
    },
    {
      ...{ id: 'P3', name: 'list of one hotspot' },
      questions: many('P3', PAGES_ASKED, (random) => page(whole, 1, hotspot(random))),
      turns: [alone, withPostgres(16)],
    },
  ]
}

/** So many days anywhere, from a second of the first to a second of the day after the last. */
function drawRange(epochs: readonly Epoch[], random: Random): Parameters {
  const days = 1 + random.below(Math.min(MOST_DAYS, epochs.length))
  const first = epochs[random.below(epochs.length - days + 1)] as Epoch
  const begin = first.start + BigInt(1 + random.below(SECONDS_A_DAY)) * SECOND
  const more = BigInt((days - 1) * SECONDS_A_DAY + random.below(SECONDS_A_DAY)) * SECOND
  return { from: writeInstant(begin), to: writeInstant(first.end + more) }
}

/** Both ends are included, so `from` lies just before the first end of a period. */
function rangeOf(epochs: readonly Epoch[], first: number, days: number): Parameters {
  const from = (epochs[first] as Epoch).end - SECOND
  return { from: writeInstant(from), to: writeInstant((epochs[first + days - 1] as Epoch).end) }
}
