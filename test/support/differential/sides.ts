import { writeJson } from '../../../src/base/values/json-writer.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { openMemoryEngine } from '../contract/memory-engine.ts'
import { rowsInFiles } from '../rows-in-files.ts'
import type { Asked } from './requests.ts'

/** Somebody who answers. */
export interface Side {
  readonly name: string
  /** The body of the reply. */
  answer(asked: Asked): Promise<string>
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
    async answer({ verb, resource, checked }) {
      const asked = usesLog ? resource : unlogged(resource)
      if (verb === 'totals') return writeJson(await repository.totals(asked, checked.filters, at).read())
      const { meta, records } = await repository.list(asked, checked.filters, checked, at)
      return writeJson({ meta: { ...meta }, records })
    },
    close,
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
