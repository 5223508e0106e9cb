import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../bench/support/free-port.ts'
import { type Brought, startBrought } from '../start-brought.ts'
import { type Access, askCluster } from './ask-cluster.ts'
import { fetchTrino } from './fetch.ts'
import { type Secured, securedUser } from './secured.ts'

const JVM = ['-Xmx1536M', '-XX:+UseG1GC', '-XX:+ExitOnOutOfMemoryError', '-XX:ReservedCodeCacheSize=256M']
const DEFINED = ['jdk.attach.allowAttachSelf=true', 'file.encoding=UTF-8', 'user.timezone=UTC']
/** A dead worker is waited for ten seconds instead of a minute, and a query without any fails as soon. */
const common = [
  'catalog.management=static',
  'query.max-memory=1GB',
  'query.max-memory-per-node=600MB',
  'memory.heap-headroom-per-node=350MB',
  'exchange.max-error-duration=10s',
  'query.remote-task.max-error-duration=10s',
]
const LONGEST_START_MS = 300_000

/** A Trino of one coordinator and workers, all on loopback, over the Delta tables of this machine; it ends with this process. */
export interface Cluster {
  readonly server: string
  /** How it is asked by who looks after it. */
  readonly access: Access
  /** Kills a worker that runs, and gives its process id. */
  killWorker(): number
  /** Starts one more worker; it takes part some ten seconds later. */
  addWorker(): Promise<void>
}

interface ClusterRequest {
  /** Gets settings, logs and the names of tables. */
  readonly folder: string
  readonly workers: number
  /** A secured one is asked by HTTPS; its nodes speak HTTP to each other, where nobody else is let in. */
  readonly secured?: Secured
  readonly say: (line: string) => void
}

/** Brings Trino, starts a cluster and works with it once all workers take part. Errors: Error when they do not within five minutes. */
export async function withCluster<T>(
  { folder, workers, secured, say }: ClusterRequest,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const trino = await fetchTrino(say)
  const port = await freePort()
  const inside = `http://127.0.0.1:${port}`
  const securePort = secured ? await freePort() : 0
  const access: Access = secured
    ? {
        ...{ server: `https://127.0.0.1:${securePort}`, user: securedUser, password: secured.password },
        authority: await readFile(secured.authority, 'utf8'),
      }
    : { server: inside }
  const catalogs = join(folder, 'catalog')
  await mkdir(catalogs, { recursive: true })
  await writeFile(join(catalogs, 'lake.properties'), catalogOf(folder))
  const readOnly = catalogOf(folder, { 'delta.security': 'READ_ONLY' })
  await writeFile(join(catalogs, 'read_only.properties'), readOnly)
  const nodes: Brought[] = []

  async function startNode(name: string, ownPort: number, settings: readonly string[]): Promise<Brought> {
    const own = join(folder, name)
    const config = join(own, 'config.properties')
    await mkdir(join(own, 'data'), { recursive: true })
    const places = [`catalog.config-dir=${catalogs}`, `plugin.dir=${join(trino.home, 'plugin')}`]
    const ports = [`http-server.http.port=${ownPort}`, `discovery.uri=${inside}`]
    const lines = [...common, ...(secured?.common ?? []), ...settings, ...places, ...ports]
    await writeFile(config, `${lines.join('\n')}\n`)
    const node = [
      ...[
        `config=${config}`,
        'node.environment=lake',
        `node.id=${name}`,
        `node.data-dir=${join(own, 'data')}`,
      ],
      ...['bind-ip', 'internal-address', 'external-address'].map((which) => `node.${which}=127.0.0.1`),
    ]
    const flags = [...JVM, ...[...DEFINED, ...node].map((one) => `-D${one}`)]
    const path = ['-cp', join(trino.home, 'lib', '*'), 'io.trino.server.TrinoServer']
    const log = join(own, 'server.log')
    const started = await startBrought([trino.java, ...flags, ...path], { cwd: own, log })
    nodes.push(started)
    return started
  }

  async function addWorker(): Promise<void> {
    await startNode(`worker-${nodes.length}`, await freePort(), ['coordinator=false'])
  }

  try {
    const coordinator = await startNode('coordinator', port, [
      ...['coordinator=true', 'node-scheduler.include-coordinator=false', 'query.client.timeout=1m'],
      ...['query-manager.required-workers=1', 'query-manager.required-workers-max-wait=10s'],
      ...(secured?.coordinator(securePort) ?? []),
    ])
    for (let worker = 0; worker < workers; worker += 1) await addWorker()
    await coordinator.ready(async () => (await activeWorkers(access)) >= workers, LONGEST_START_MS)
    say(`Trino at ${access.server}`)
    return await work({
      ...{ server: access.server, access, addWorker },
      killWorker() {
        const worker = nodes.slice(1).find((node) => node.isAlive())
        if (worker === undefined) throw new Error('there is no worker to kill')
        process.kill(worker.pid, 'SIGKILL')
        return worker.pid
      },
    })
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

/** Tables lie anywhere on this machine; their names are files of the folder, the same for every catalog. */
function catalogOf(folder: string, more: Readonly<Record<string, string>> = {}): string {
  const lines = {
    'connector.name': 'delta_lake',
    'hive.metastore': 'file',
    'hive.metastore.catalog.dir': `local://${join(folder, 'metastore')}`,
    'fs.native-local.enabled': 'true',
    'local.location': '/',
    'delta.register-table-procedure.enabled': 'true',
    ...more,
  }
  return Object.entries(lines)
    .map((line) => `${line.join('=')}\n`)
    .join('')
}

/** "SERVER STARTED" in the log comes earlier than a coordinator that knows its workers. */
async function activeWorkers(access: Access): Promise<number> {
  const body = "SELECT count(*) FROM system.runtime.nodes WHERE NOT coordinator AND state = 'active'"
  const [row] = await askCluster(access, body)
  return Number(row?.[0] ?? 0)
}

/** Tells what each node has done, a line each. Errors: Error when a worker has read nothing. */
export async function allHaveWorked(server: string, say: (line: string) => void): Promise<void> {
  const rows = await askCluster(
    { server },
    `SELECT node_id, coordinator, count(task_id), coalesce(sum(raw_input_rows), 0) FROM system.runtime.nodes
      LEFT JOIN system.runtime.tasks USING (node_id) GROUP BY node_id, coordinator ORDER BY node_id`,
  )
  for (const [node, , tasks, read] of rows) say(`${node}: ${tasks} tasks, ${read} rows read`)
  const idle = rows.filter(([, isCoordinator, , read]) => !isCoordinator && read === 0)
  if (idle.length > 0) throw new Error(`nothing was read by ${idle.map(([node]) => node).join(', ')}`)
}
