import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { deriveSeed, openRandom } from '../src/write/sample/random.ts'
import { loadServer } from '../test/support/bucket-lake/load.ts'
import { machinesOf } from '../test/support/bucket-lake/machines.ts'
import { checkSameAnswers } from '../test/support/bucket-lake/same-answers.ts'
import { spell } from '../test/support/exact-json.ts'
import { thirtyShares, writeOracleFiles } from '../test/support/lakes/make-lake.ts'
import { openRun } from '../test/support/open-run.ts'
import { startServing } from '../test/support/servers/run-program.ts'
import { awsEnvironment } from '../test/support/sync/bucket-server.ts'
import { startFaultProxy } from '../test/support/sync/fault-proxy.ts'
import { startMoto } from '../test/support/sync/moto.ts'

/**
 * A lake in a bucket of an S3 server, behind a proxy that makes faults: written by two programs at once, compacted, vacuumed and held against a
 * local lake; then followed by two servers, and a second site that follows one of them, which are asked all the while it grows:
 * npm run test:long -- bucket-lake --minutes 10 --seed 1 --only same,load
 */

const DAY_MS = 86_400_000
const FIRST_DAY = Date.parse('2015-01-01T00:00:00Z')

/** `--moto`: the program moto_server; without it moto comes from PyPI. */
const { values, only, say } = openRun({ minutes: '10', seed: '1', moto: undefined }, ['same', 'load'])
const folder = temporaryFolder()
const server = await startMoto(values.moto, join(folder, 'moto.log'), 'lakes', say)
const randomOf = (name: string) => openRandom(deriveSeed(name, values.seed))
const proxy = await startFaultProxy(server.endpoint, randomOf('faults'))
proxy.isRough = true
const around = { cwd: folder, env: { ...awsEnvironment, LEDGERLAKE_LAKE_ENDPOINT: proxy.endpoint } }
const machinesAt = (name: string) => machinesOf(`s3://lakes/${name}`, around, randomOf('kills'))

if (only.includes('same')) say(await checkSameAnswers(folder, machinesAt('same')))
if (only.includes('load')) await growUnderLoad(Number(values.minutes))
say(`the proxy has seen ${spell(proxy.bill())}; faults: ${spell(Object.fromEntries(proxy.faults))}`)
await proxy.stop()
await server.stop()
process.exit(0)

async function growUnderLoad(minutes: number): Promise<void> {
  const until = performance.now() + minutes * 60_000
  const { run, serve } = machinesAt('grown')
  let days = 0
  async function addDay(): Promise<void> {
    const end = FIRST_DAY + (days + 1) * DAY_MS
    const input = join(folder, 'input', String(days))
    const day = new Date(end).toISOString().slice(0, 10)
    await writeOracleFiles(input, { [`iot_network_reward_shares_v1.${end}.gz`]: thirtyShares(day) })
    await run('writer', ['ingest', input])
    days += 1
    if (days % 10 === 0) await run('writer', ['compact'])
    if (days % 10 === 5) await run('writer', ['vacuum', '--keep-hours', '1'])
  }
  await addDay()
  const flags = ['--lake-poll-ms', '500', '--share', '--open-share']
  const kept = await serve('kept', ['--lake-copy-mb', '0', ...flags])
  const bounded = await serve('bounded', ['--lake-copy-mb', '1', ...flags])
  // A second site follows the first server through a bad line of its own.
  const line = await startFaultProxy(kept.address, randomOf('line'))
  line.isRough = true
  const source = `lake --url ${line.endpoint} --every 1s`
  const site = ['--lake', join(folder, 'site'), '--port', '0', '--sync', source]
  const servers = [kept, bounded, await startServing(site, { cwd: folder })]
  await setTimeout(20_000)
  let isOver = false
  const loads = servers.flatMap(({ address }, place) =>
    [0, 1].map((caller) => loadServer(address, randomOf(`${place} ${caller}`), () => isOver)),
  )
  const failed = Promise.all(loads)
  while (performance.now() < until) await Promise.race([addDay(), failed])
  // Followers are late, by seconds.
  const late = performance.now() + 60_000
  for (const { address } of servers)
    for (let count = ''; count !== String(days * 30); await setTimeout(100)) {
      const list = `${address}/v1/net/l2/iot-reward-shares?from=2010-01-01&to=2027-01-01&per_page=1`
      count = /"total_pages":(\d+)/.exec(await (await fetch(list)).text())?.[1] ?? ''
      if (performance.now() > late) throw new Error(`${address} has ${count} shares of ${days * 30}`)
    }
  isOver = true
  for (const sentence of await failed) say(sentence)
  say(`${days} days were written while two servers and a second site followed`)
  say(`faults of the line to the site: ${spell(Object.fromEntries(line.faults))}`)
  await line.stop()
  for (const { child, finished, stderr } of servers) {
    child.kill('SIGTERM')
    await finished
    // The line of the site makes 400 of it where credentials expire, which a run reports.
    const problem = /"level":"error".*/.exec(stderr().replaceAll(/.* answers 400: .*/g, ''))
    if (problem !== null) throw new Error(problem[0])
  }
}
