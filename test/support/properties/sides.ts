import { isDeepStrictEqual } from 'node:util'
import { writeJson } from '../../../src/base/values/json-writer.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { querySchema } from '../../../src/doors/contract/query-schema.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { openMemoryEngine } from '../contract/memory-engine.ts'
import { spell } from '../exact-json.ts'
import { firstDifference } from '../first-difference.ts'
import type { ShareFile } from '../network/shares.ts'
import { rowsInFiles } from '../tables/rows-in-files.ts'
import { answerTo, plainReply } from './model.ts'
import { restParameters, type ShareRequest } from './queries.ts'

/** Somebody who answers. */
export interface Side {
  readonly name: string
  /** The body of the reply. */
  answer(request: ShareRequest): Promise<string>
  /** Whether something derived is missing, or was given up because it could not be read. */
  readonly lacks: () => boolean
  /** Totals and lists of a hotspot that the index by hotspot did not know. */
  readonly unknown: () => number
  close(): Promise<void>
}

interface Sources {
  readonly lake: string
  /** May be missing. */
  readonly state: string
  /** Whether the log may answer and say where rows lie; otherwise the engine searches and sums everything. */
  readonly usesLog: boolean
  /** Whether arrays of rows take the place of the embedded engine. */
  readonly inMemory?: true
  /** Settings of the engine beside those that all sides have. */
  readonly engine?: Parameters<typeof readSettings>[1]
}

/** A side that answers from a lake, with what is said of it. */
export async function openSide(
  name: string,
  { lake, state, usesLog, inMemory, engine }: Sources,
): Promise<Side> {
  const at = await new Lake(lake).latest()
  const memory = inMemory && (await openSortedMemory(at))
  let unknown = 0
  const usual = { lake, state, engine_threads: '2', engine_connections: '2' }
  const settings = readSettings({}, { ...usual, ...engine })
  const { index, blocks, repository, close } = await openServices(settings, {
    worthwhileRows: 0,
    aroundEngine: (files) => memory ?? files,
    aroundIndex: (own) => ({
      ...own,
      covers: (...request) => {
        const isKnown = own.covers(...request)
        if (!isKnown) unknown += 1
        return isKnown
      },
    }),
  })
  await index.load(at)
  await blocks.load(at)
  return {
    name,
    lacks: () => index.lacks(at) || blocks.lacks(at),
    unknown: () => unknown,
    async answer({ verb, query, page, perPage }) {
      const paging = verb === 'totals' ? {} : { page: String(page), per_page: String(perPage) }
      const resource = query.network === 'iot' ? iotRewardShares : mobileRewardShares
      const checked = querySchema(resource, verb)({ ...restParameters(query), ...paging })
      const table = usesLog ? resource : unlogged(resource)
      if (verb === 'totals') return writeJson(await repository.totals(table, checked.filters, at).read())
      const { meta, records } = await repository.list(table, checked.filters, checked, at).read()
      return writeJson({ meta: { ...meta }, records })
    },
    close,
  }
}

/** Has all sides answer requests; the values that were drawn decide. Errors: the first difference. */
export async function compareSides(
  sides: readonly Side[],
  files: readonly ShareFile[],
  requests: readonly ShareRequest[],
  onAnswered: (count: number) => void = () => {},
): Promise<void> {
  for (const [place, request] of requests.entries()) {
    const [first = '', ...others] = await Promise.all(sides.map((side) => side.answer(request)))
    const [reply, expected] = [plainReply(first), answerTo(files, request)]
    const differences = others.flatMap((other, index) =>
      other === first ? [] : [`${sides[index + 1]?.name}: ${firstDifference(other, first)}`],
    )
    if (!isDeepStrictEqual(reply, expected))
      differences.push(`model: ${firstDifference(spell(expected), spell(reply))}`)
    if (differences.length > 0)
      throw new Error(`not as ${sides[0]?.name}, ${spell(request)}:\n${differences.join('\n')}`)
    onAnswered(place + 1)
  }
}

/** A table of which the log tells neither groups nor chunks, and the index by hotspot nothing: the engine searches its files. */
function unlogged({ statistics: _, access: __, keyed: ___, ...resource }: Resource): Resource {
  return resource
}

/** Rows as another reader finds them, in order, since the engine sorts them for every answer. */
async function openSortedMemory(at: Snapshot): Promise<Engine> {
  const unsorted = openMemoryEngine(rowsInFiles())
  const sorted = new Map<string, readonly Row[]>()
  for (const { resource, rows } of at.tables) {
    const plan = { resource, where: [], columns: Object.keys(resource.columns), limit: rows, offset: 0 }
    sorted.set(resource.name, await unsorted.rows(plan, at))
  }
  return openMemoryEngine(({ name }) => sorted.get(name) ?? [])
}
