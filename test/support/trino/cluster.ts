import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../../bench/support/free-port.ts'
import { type Access, askCluster } from './ask-cluster.ts'
import type { Installed } from './fetch.ts'
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

/** A Trino of one coordinator and workers, all on loopback, over the Delta tables of this machine. */
export interface Cluster {
  readonly server: string
  /** How it is asked by who looks after it. */
  readonly access: Access
  /** Workers that run, by their process ids. */
  readonly workers: readonly number[]
  /** Starts one more worker; it takes part some ten seconds later. */
  addWorker(): Promise<number>
  /** Resolves when so many workers take part. Errors: Error when they do not within five minutes. */
  ready(workers: number): Promise<void>
  stop(): Promise<void>
  /** Ends all at once, for a process that ends itself. */
  kill(): void
}

/**
 * Starts a coordinator and so many workers; their settings, logs and the names of tables lie in the folder given. A secured one
 * is asked by HTTPS; its nodes speak HTTP to each other, where nobody else is let in.
 */
export async function startCluster(
  trino: Installed,
  folder: string,
  workers: number,
  secured?: Secured,
): Promise<Cluster> {
  const port = await freePort()
  const inside = `http://127.0.0.1:${port}`
  const securePort = secured && (await freePort())
  const access: Access =
    secured === undefined
      ? { server: inside }
      : {
          ...{ server: `https://127.0.0.1:${securePort}`, user: securedUser, password: secured.password },
          authority: await readFile(secured.authority, 'utf8'),
        }
  const catalogs = join(folder, 'catalog')
  await mkdir(catalogs, { recursive: true })
  await writeFile(join(catalogs, 'lake.properties'), catalogOf(folder))
  const readOnly = catalogOf(folder, { 'delta.security': 'READ_ONLY' })
  await writeFile(join(catalogs, 'read_only.properties'), readOnly)
  const nodes: ChildProcess[] = []
  let started = 0

  async function startNode(name: string, ownPort: number, settings: readonly string[]): Promise<number> {
    const own = join(folder, name)
    await mkdir(join(own, 'data'), { recursive: true })
    const places = [`catalog.config-dir=${catalogs}`, `plugin.dir=${join(trino.home, 'plugin')}`]
    const lines = [
      ...common,
      ...(secured?.common ?? []),
      ...settings,
      ...places,
      `http-server.http.port=${ownPort}`,
    ]
    await writeFile(join(own, 'config.properties'), `${lines.join('\n')}\ndiscovery.uri=${inside}\n`)
    const log = await open(join(own, 'server.log'), 'w')
    const node = [
      ...['node.environment=lake', `node.id=${name}`, `node.data-dir=${join(own, 'data')}`],
      ...['bind-ip', 'internal-address', 'external-address'].map((which) => `node.${which}=127.0.0.1`),
    ]
    const defined = [...DEFINED, `config=${join(own, 'config.properties')}`, ...node]
    const path = ['-cp', join(trino.home, 'lib', '*'), 'io.trino.server.TrinoServer']
    const child = spawn(trino.java, [...JVM, ...defined.map((one) => `-D${one}`), ...path], {
      cwd: own,
      stdio: ['ignore', log.fd, log.fd],
    })
    await once(child, 'spawn')
    await log.close()
    nodes.push(child)
    return child.pid as number
  }

  async function addWorker(): Promise<number> {
    started += 1
    return await startNode(`worker-${started}`, await freePort(), ['coordinator=false'])
  }

  const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

  async function stop(): Promise<void> {
    const alive = nodes.filter(isAlive)
    for (const child of alive) child.kill('SIGTERM')
    const ended = Promise.all(alive.map((child) => isAlive(child) && once(child, 'exit')))
    await Promise.race([ended, setTimeout(15_000, undefined, { ref: false })])
    for (const child of alive) if (isAlive(child)) child.kill('SIGKILL')
  }

  try {
    await startNode('coordinator', port, [
      ...['coordinator=true', 'node-scheduler.include-coordinator=false', 'query.client.timeout=1m'],
      ...['query-manager.required-workers=1', 'query-manager.required-workers-max-wait=10s'],
      ...(secured?.coordinator(securePort ?? 0) ?? []),
    ])
    for (let worker = 0; worker < workers; worker += 1) await addWorker()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    server: access.server,
    access,
    get workers() {
      return nodes
        .slice(1)
        .filter(isAlive)
        .map((child) => child.pid as number)
    },
    addWorker,
    stop,
    kill() {
      for (const child of nodes) if (isAlive(child)) child.kill('SIGKILL')
    },
    async ready(wanted) {
      const until = performance.now() + LONGEST_START_MS
      while ((await activeWorkers(access).catch(() => 0)) < wanted) {
        const [coordinator] = nodes
        if (coordinator === undefined || !isAlive(coordinator) || performance.now() > until) {
          const log = await readFile(join(folder, 'coordinator', 'server.log'), 'utf8')
          throw new Error(`Trino is not ready:\n${log.slice(-3000)}`)
        }
        await setTimeout(1000)
      }
    },
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
