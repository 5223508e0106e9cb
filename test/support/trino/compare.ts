import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { program, runToEnd } from '../../../bench/support/program.ts'
import { ServiceError } from '../../../src/base/errors.ts'
import { drawYears } from '../network/years.ts'
import { makeLakes } from '../properties/lakes.ts'
import { drawRequests, type ShareRequest } from '../properties/queries.ts'
import { compareSides, openSide, type Side } from '../properties/sides.ts'
import { allHaveWorked, type Cluster } from './cluster.ts'

interface Compared {
  readonly shares: number
  readonly requests: number
  /** What became of requests after a worker was killed, by the name of the outcome. */
  readonly afterKill: Readonly<Record<string, number>>
}

const REQUESTS_AFTER_KILL = 40
const LONGEST_RECOVERY_MS = 180_000

/** Registers the tables of a lake by the program, under a schema. */
export async function register(server: string, lake: string, schema: string): Promise<void> {
  const place = ['--trino-server', server, '--trino-schema', schema]
  await runToEnd([program, 'trino', 'register', '--lake', lake, ...place])
}

/**
 * Has DuckDB, Trino behind log and index, Trino behind the log alone, and Trino over the tables alone answer the same random requests;
 * what was drawn decides. Throws at the first digit that differs. With a cluster of its own a worker is killed at the end.
 */
export async function compareWithTrino(
  server: string,
  cluster: Cluster | undefined,
  { folder, seed, requests }: { readonly folder: string; readonly seed: string; readonly requests: number },
  say: (line: string) => void,
): Promise<Compared> {
  const years = drawYears(seed, 7, 60)
  const { plain: lake, state } = await makeLakes(folder, years)
  await register(server, lake, 'compared')
  const own = { trino_server: server, trino_schema: 'compared', trino_session: 'retry_policy=QUERY' }
  const engine = { engine: 'trino', request_timeout_ms: '120000', ...own } as const
  const without = join(folder, 'without')
  const sides = [
    await openSide('DuckDB', { lake, state, usesLog: true }),
    await openSide('Trino, log and index', { lake, state, usesLog: true, engine }),
    await openSide('Trino and log', { lake, state: without, usesLog: true, engine }),
    await openSide('Trino alone', { lake, state: without, usesLog: false, engine }),
  ]
  const drawn = drawRequests(Number(seed), years, requests)
  try {
    await compareSides(sides, years.files, drawn, (count) => {
      if (count % 100 === 0) say(`${count} requests are the same`)
    })
    await allHaveWorked(server, say)
    const afterKill = cluster === undefined ? {} : await killOne(cluster, sides, drawn, say)
    const shares = years.files.reduce((sum, file) => sum + file.shares.length, 0)
    return { shares, requests: drawn.length, afterKill }
  } finally {
    for (const side of sides) await side.close()
  }
}

/** Kills a worker under way: every answer is the same or an error that passes, and at the end all are right again. */
async function killOne(
  cluster: Cluster,
  sides: readonly Side[],
  drawn: readonly ShareRequest[],
  say: (line: string) => void,
): Promise<Record<string, number>> {
  const [duckdb, , , trino] = sides
  if (duckdb === undefined || trino === undefined) throw new Error('there is nobody to ask')
  const outcomes: Record<string, number> = {}
  const ask = async (asked: ShareRequest) => {
    const [right, outcome] = await Promise.all([
      duckdb.answer(asked),
      trino.answer(asked).catch((error: unknown) => {
        if (error instanceof ServiceError && [503, 504].includes(error.status)) return error
        throw error
      }),
    ])
    const isRight = outcome === right
    if (!isRight && typeof outcome === 'string')
      throw new Error(`a wrong answer after a worker was killed: ${outcome}`)
    const name = outcome instanceof ServiceError ? outcome.code : 'the same'
    outcomes[name] = (outcomes[name] ?? 0) + 1
    return isRight
  }
  const some = drawn.slice(0, REQUESTS_AFTER_KILL)
  const running = some.map((asked, place) => setTimeout(place * 300).then(() => ask(asked)))
  await setTimeout(2000)
  say(`killed the worker ${cluster.killWorker()}`)
  await Promise.all(running)
  await cluster.addWorker()
  const until = performance.now() + LONGEST_RECOVERY_MS
  for (const asked of some)
    while (!(await ask(asked))) {
      if (performance.now() > until) throw new Error('the cluster did not recover')
      await setTimeout(1000)
    }
  return outcomes
}
