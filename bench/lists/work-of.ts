import { readFileSync } from 'node:fs'
import { parse } from 'node:querystring'
import { resources } from '../../src/catalog/resources.ts'
import { querySchema } from '../../src/doors/contract/query-schema.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import type { openCounted } from '../../test/support/counting-engine.ts'
import { median } from '../support/percentiles.ts'

/** For one request in the middle, asked for the first time. */
export interface Work {
  readonly statements: number
  readonly files: number
  readonly kilobytesRead: number
}

/** Statements, files and bytes of the engine for requests that it sees for the first time. */
export async function workOf(
  services: Awaited<ReturnType<typeof openCounted>>,
  at: Snapshot,
  path: string,
  addresses: readonly string[],
): Promise<Work> {
  const resource = resources.find(({ rest }) => rest?.path === path)
  if (resource === undefined) throw new Error(`there is no list at ${path}`)
  const taken: Work[] = []
  for (const address of addresses) {
    const before = { ...services.engine.work(), bytes: bytesRead() }
    const [route = '', text] = address.split('?')
    if (text === undefined) {
      const id = decodeURIComponent(route.slice(route.lastIndexOf('/') + 1))
      await services.repository.find(resource, id, at).read()
    } else {
      const query = querySchema(resource, 'list')({ ...parse(text) })
      await services.repository.list(resource, query.filters, query, at).read()
    }
    const after = services.engine.work()
    taken.push({
      statements: after.statements - before.statements,
      files: after.files - before.files,
      kilobytesRead: (bytesRead() - before.bytes) / 1000,
    })
  }
  return {
    statements: median(taken.map((work) => work.statements)),
    files: median(taken.map((work) => work.files)),
    kilobytesRead: median(taken.map((work) => work.kilobytesRead)),
  }
}

/** What this process has read from files so far, from the disk or from the cache of the system. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
}
