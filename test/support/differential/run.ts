import { join } from 'node:path'
import { startPostgres } from '../../../bench/support/postgres.ts'
import { spell } from '../exact-json.ts'
import { drawYears } from '../network/years.ts'
import { makeLakes } from './lakes.ts'
import { openModel, spellReply } from './model.ts'
import { askPostgres, pageLine, totalsLine } from './postgres-side.ts'
import { drawRequests } from './requests.ts'
import { openSide, type Side } from './sides.ts'

export interface DifferentialOptions {
  /** An empty folder. */
  readonly folder: string
  readonly seed: string
  readonly requests: number
  /** A file every so many days, and the most shares in it. */
  readonly step: number
  readonly sharesAFile: number
  /** Whether PostgreSQL is asked too, where it is there. */
  readonly postgres: boolean
}

export interface DifferentialResult {
  readonly shares: number
  readonly files: number
  readonly totals: number
  readonly lists: number
  /** Everybody who gave every answer. */
  readonly sides: readonly string[]
  /** Requests for the totals or the list of a hotspot that the index by hotspot did not know, of either lake. */
  readonly unindexed: number
}

/** Has every side answer the same random requests. Throws at the first digit that differs, with the request. */
export async function compareSides(options: DifferentialOptions): Promise<DifferentialResult> {
  const years = drawYears(options.seed, options.step, options.sharesAFile)
  const requests = drawRequests(options.seed, years, options.requests)
  const lakes = await makeLakes(options.folder, years)
  const model = openModel(years.files)
  const postgres = options.postgres ? startPostgres() : undefined
  const lines = postgres && askPostgres(postgres, years.files, requests)
  postgres?.stop()

  const { plain, compacted, state, compactedState } = lakes
  const empty = (name: string) => join(options.folder, 'without', name)
  const indexed = [await openSide('index by hotspot and log', { lake: plain, state, usesLog: true })]
  if (compacted !== undefined) {
    const lake = { lake: compacted, state: compactedState }
    indexed.push(await openSide('compacted, index by hotspot and log', { ...lake, usesLog: true }))
  }
  const refuseLacking = () => {
    const lacking = indexed.find((side) => side.lacks())
    if (lacking !== undefined) throw new Error(`${lacking.name}: something derived is missing`)
  }
  refuseLacking()
  const sides: Side[] = [
    ...indexed,
    await openSide('log, no state', { lake: plain, state: empty('log'), usesLog: true }),
    await openSide('files alone', { lake: plain, state: empty('files'), usesLog: false }),
    await openSide('memory', { lake: plain, state: empty('memory'), usesLog: false, inMemory: true }),
  ]
  if (compacted !== undefined) {
    sides.push(
      await openSide('compacted files alone', { lake: compacted, state: empty('compacted'), usesLog: false }),
    )
  }
  try {
    for (const [index, asked] of requests.entries()) {
      const told = describe(asked)
      const [first = '', ...others] = await Promise.all(sides.map((side) => side.answer(asked)))
      for (const [place, other] of others.entries()) {
        compare(other, first, `${sides[place + 1]?.name} and ${sides[0]?.name} differ`, told)
      }
      const expected = model.expect(asked)
      compare(spellReply(first), expected.answer, 'the model differs', told)
      if (lines !== undefined) {
        const line = asked.verb === 'totals' ? totalsLine(first) : pageLine(expected.page)
        compare(lines[index] ?? '', line, 'PostgreSQL differs', told)
      }
    }
    refuseLacking()
    const totals = requests.filter(({ verb }) => verb === 'totals').length
    return {
      shares: years.files.reduce((sum, { shares }) => sum + shares.length, 0),
      files: years.files.length,
      totals,
      lists: requests.length - totals,
      sides: ['model', ...sides.map(({ name }) => name), ...(lines === undefined ? [] : ['PostgreSQL'])],
      unindexed: indexed.reduce((sum, side) => sum + side.unknown(), 0),
    }
  } finally {
    for (const side of sides) await side.close()
  }
}

const SHOWN = 60

/** Throws with what stands around the first difference. */
function compare(own: string, right: string, what: string, asked: string): void {
  if (own === right) return
  const place = [...own].findIndex((character, index) => character !== right[index])
  const start = Math.max(0, (place < 0 ? own.length : place) - SHOWN)
  const [one, other] = [own, right].map((text) => text.slice(start, start + 2 * SHOWN))
  throw new Error(`${what} at ${start}: ...${one}... instead of ...${other}...; asked: ${asked}`)
}

function describe({ verb, query, page, perPage }: Parameters<Side['answer']>[0]): string {
  return `${verb} ${spell({ ...query, page, perPage })}`
}
