import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { program, runToEnd } from '../bench/support/program.ts'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { measureTrino } from '../bench/trino/figures.ts'
import { corpusInputs } from '../test/support/conformance/corpus.ts'
import { openRun } from '../test/support/open-run.ts'
import { type Cluster, withCluster } from '../test/support/trino/cluster.ts'
import { compareWithTrino, register } from '../test/support/trino/compare.ts'
import { tryPasswords } from '../test/support/trino/passwords.ts'
import { serveCorpus } from '../test/support/trino/serve-corpus.ts'

/**
 * Brings up a Trino cluster on loopback and holds the engine to it: the contract of engines, the corpus, random requests beside
 * DuckDB, a worker that is killed, and figures; then a cluster with HTTPS and passwords. npm run test:long -- trino --requests 2000 --seed 1 --only corpus,figures
 */

const parts = ['contract', 'corpus', 'compare', 'figures', 'tls']
/**
 * `--folder` is kept, and what is there is not made again; `--server` is a cluster that runs already, over the root of this
 * machine's files, and is left as it is.
 */
const usual = { requests: '2000', seed: '1', hotspots: '100000', folder: undefined, server: undefined }
const { values, only, say } = openRun(usual, parts)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = values.folder ?? temporaryFolder()
for (const part of parts) mkdirSync(join(folder, part), { recursive: true })

async function contract(server: string): Promise<void> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const given = ['run', 'test/engine/contract', '--testNamePattern', 'trino|agree', '--maxWorkers', '1']
  const env = { ...process.env, TRINO_SERVER: server }
  const child = spawn(process.execPath, [vitest, ...given], { cwd: root, env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the contract of engines is not kept')
}

async function corpus(server: string): Promise<void> {
  const lake = join(folder, 'corpus', 'lake')
  await runToEnd([program, 'ingest', ...corpusInputs, '--lake', lake])
  await register(server, lake, 'corpus')
  await serveCorpus(lake, ['--trino-server', server, '--trino-schema', 'corpus'], say)
}

async function askCluster(server: string, cluster?: Cluster): Promise<void> {
  if (only.includes('contract')) await contract(server)
  if (only.includes('corpus')) await corpus(server)
  if (only.includes('figures'))
    console.log(await measureTrino(server, join(folder, 'figures'), Number(values.hotspots)))
  // It ends with a worker that is killed.
  if (only.includes('compare')) await compare(server, cluster)
}

async function compare(server: string, cluster: Cluster | undefined): Promise<void> {
  const options = { folder: join(folder, 'compare'), seed: values.seed, requests: Number(values.requests) }
  const { shares, requests, afterKill } = await compareWithTrino(server, cluster, options, say)
  say(
    `${requests} requests over ${shares} shares: the same from DuckDB, from Trino in three ways, and from what was drawn`,
  )
  say(`after a worker was killed: ${JSON.stringify(afterKill)}`)
}

if (values.server !== undefined) await askCluster(values.server)
else if (only.some((part) => part !== 'tls'))
  await withCluster({ folder: join(folder, 'trino'), workers: 2, say }, (cluster) =>
    askCluster(cluster.server, cluster),
  )
if (only.includes('tls')) await tryPasswords(join(folder, 'tls'), say)
