import { join } from 'node:path'
import { manifestReader } from '../../src/answers/records/manifests.ts'
import type { Repository } from '../../src/answers/repository.ts'
import type { JsonObject } from '../../src/base/values/json-writer.ts'
import type { Statement } from '../../src/engine/sql/compile.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { type Client, openClient } from '../support/client.ts'
import { checkFacts, generatedFacts, storedFacts } from '../support/facts.ts'
import { type Workload, writeOracleFiles } from '../support/network.ts'
import { bareServer, program, runToEnd, startServing } from '../support/program.ts'
import type { Question } from './questions.ts'
import { openRawDuckdb, plainStatements, type RawDuckdb, recordingEngine } from './raw-duckdb.ts'

/** Everything that answers, over one lake. */
export interface Setup {
  readonly at: Snapshot
  /** The repository in process. */
  answer(question: Question): Promise<JsonObject>
  /** The served program. */
  readonly served: Client
  /** A server that gives back what was put there. */
  readonly bare: Client
  readonly raw: RawDuckdb
  /** The request as plain SQL. */
  plainStatements(question: Question): readonly Statement[]
  /** What our engine is asked to run for it; nothing when the log alone answers. */
  sameStatements(question: Question): Promise<readonly Statement[]>
  close(): Promise<void>
}

/** Makes the lake below `parent` with the built program, checks what it holds, and opens everything. */
export async function openSetup(parent: string, workload: Workload): Promise<Setup> {
  const lake = join(parent, 'lake')
  const { folder } = await writeOracleFiles(parent, workload)
  await runToEnd([program, 'ingest', folder, '--lake', lake])

  const settings = readSettings({}, { lake })
  const services = await openServices(settings)
  const at = await services.lake.latest()
  checkFacts(storedFacts(at), generatedFacts(workload))
  await services.warm(at)
  const { prices } = await manifestReader(services.engine)(at)
  const recorder = recordingEngine(services.engine)
  const recorded = await openServices(settings, { aroundEngine: () => recorder.engine })
  const recording = recorded.repository
  await recorded.warm(at)

  const raw = await openRawDuckdb(settings)
  const servers = [
    await startServing([program, 'serve', '--lake', lake, '--port', '0', '--workers', '1']),
    await startServing([bareServer]),
  ]
  const [served, bare] = servers.map(({ address }) => openClient(address)) as [Client, Client]
  return {
    at,
    served,
    bare,
    raw,
    answer: (question) => ask(services.repository, question, at),
    plainStatements: (question) => plainStatements(question, at, prices),
    async sameStatements(question) {
      recorder.taken()
      await ask(recording, question, at)
      return recorder.taken()
    },
    async close() {
      served.close()
      bare.close()
      raw.close()
      await Promise.all(servers.map((server) => server.stop()))
      await services.close()
      await recorded.close()
    },
  }
}

/** The answer as the server writes it. */
async function ask(
  repository: Repository,
  { resource, verb, query }: Question,
  at: Snapshot,
): Promise<JsonObject> {
  if (verb === 'totals') return await repository.totals(resource, query.filters, at).read()
  const { meta, records } = await repository.list(resource, query.filters, query, at)
  return { meta: { ...meta }, records }
}
