import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { deriveSeed, openRandom } from '../src/write/sample/random.ts'
import { loadServer } from '../test/support/bucket-lake/load.ts'
import { checkSameAnswers } from '../test/support/bucket-lake/same-answers.ts'
import { spell } from '../test/support/exact-json.ts'
import { thirtyShares, writeOracleFiles } from '../test/support/make-lake.ts'
import { openRun } from '../test/support/open-run.ts'
import { runProgram, startProgram, startServing } from '../test/support/run-program.ts'
import { awsEnvironment } from '../test/support/sync/bucket-server.ts'
import { startFaultProxy } from '../test/support/sync/fault-proxy.ts'
import { fetchMoto, startMoto } from '../test/support/sync/moto.ts'

/**
 * A lake in a bucket of an S3 server, behind a proxy that makes faults: written by two programs at once, compacted, vacuumed and held against a
 * local lake; then followed by two servers, and a second site that follows one of them, which are asked all the while it grows:
 * npm run test:long -- bucket-lake --minutes 10 --seed 1 --only same,load
 */

const DAY_MS = 86_400_000
const FIRST_DAY = Date.parse('2015-01-01T00:00:00Z')
const COMPACT_EVERY = 10

/** `--moto`: the program moto_server; without it moto comes from PyPI. */
const usual = { minutes: '10', seed: '1', moto: undefined }
const { values, only, say } = openRun(usual, ['same', 'load'])
const folder = temporaryFolder()
const moto = values.moto === undefined ? await fetchMoto(say) : [values.moto]
const server = await startMoto(moto, join(folder, 'moto.log'), 'lakes')
const randomOf = (name: string) => openRandom(deriveSeed(name, values.seed))
const proxy = await startFaultProxy(server.endpoint, randomOf('faults'))
proxy.isRough = true
const env = { ...awsEnvironment, LEDGERLAKE_LAKE_ENDPOINT: proxy.endpoint }

const flagsOf = (name: string, copy: string) => [
  '--lake',
  `s3://lakes/${name}`,
  '--lake-copy',
  join(folder, copy),
]

/** Runs a command on a lake of the bucket with a copy of its own; it must succeed. */
async function onLake(name: string, copy: string, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram([...words, ...flagsOf(name, copy)], { cwd: folder, env })
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

const moments = randomOf('kills')

/** Kills a command at some moment, often while it commits. */
async function killed(name: string, copy: string, words: readonly string[]): Promise<boolean> {
  const { child, finished } = startProgram([...words, ...flagsOf(name, copy)], { cwd: folder, env })
  await Promise.race([setTimeout(700 + moments.below(2500)), finished])
  child.kill('SIGKILL')
  return (await finished).code === null
}

if (only.includes('same'))
  say(
    await checkSameAnswers(
      folder,
      (copy, words) => onLake('same', copy, words),
      (copy, words) => killed('same', copy, words),
    ),
  )

if (only.includes('load')) {
  const until = performance.now() + Number(values.minutes) * 60_000
  let days = 0
  async function addDay(): Promise<void> {
    const end = FIRST_DAY + (days + 1) * DAY_MS
    const input = join(folder, 'input', String(days))
    const day = new Date(end).toISOString().slice(0, 10)
    await writeOracleFiles(input, { [`iot_network_reward_shares_v1.${end}.gz`]: thirtyShares(day) })
    await onLake('grown', 'writer', ['ingest', input])
    days += 1
    if (days % COMPACT_EVERY === 0) await onLake('grown', 'writer', ['compact'])
    if (days % COMPACT_EVERY === 5) await onLake('grown', 'writer', ['vacuum', '--keep-hours', '1'])
  }
  await addDay()
  const copies = [
    ['kept', '0'],
    ['bounded', '1'],
  ] as const
  const servers = await Promise.all(
    copies.map(([copy, mb]) =>
      startServing(
        [
          ...['--lake', 's3://lakes/grown', '--lake-copy', join(folder, copy), '--port', '0'],
          ...['--lake-copy-mb', mb, '--lake-poll-ms', '500', '--share', '--open-share'],
        ],
        { cwd: folder, env },
      ),
    ),
  )
  const first = servers[0] as (typeof servers)[number]
  // A second site follows the first server through a bad line of its own.
  const line = await startFaultProxy(first.address, randomOf('line'))
  line.isRough = true
  const source = `lake --url ${line.endpoint} --every 1s`
  servers.push(
    await startServing(['--lake', join(folder, 'site'), '--port', '0', '--sync', source], { cwd: folder }),
  )
  await setTimeout(20_000)
  let isOver = false
  const loads = servers.flatMap(({ address }, place) =>
    [0, 1].map((caller) => loadServer(address, randomOf(`${place} ${caller}`), () => isOver)),
  )
  while (performance.now() < until) await addDay()
  // Whoever follows is late, by seconds.
  const late = performance.now() + 60_000
  for (const { address } of servers)
    for (;;) {
      const reply = await fetch(
        `${address}/v1/net/l2/iot-reward-shares?from=2010-01-01&to=2027-01-01&per_page=1`,
      )
      const [, count = ''] = /"total_pages":(\d+)/.exec(await reply.text()) ?? []
      if (count === String(days * 30)) break
      if (performance.now() > late)
        throw new Error(`${address} has ${count} shares, and ${days * 30} were written`)
      await setTimeout(100)
    }
  isOver = true
  const ended = await Promise.all(loads)
  for (const { address, requests, latencies, fault } of ended) {
    const [median, slow] = [0.5, 0.99].map(
      (part) => [...latencies].sort((a, b) => a - b)[Math.floor(latencies.length * part)],
    )
    say(`${address}: ${requests} requests, p50 ${median?.toFixed(1)} ms, p99 ${slow?.toFixed(1)} ms`)
    if (fault !== undefined) throw new Error(`${address}: ${fault}`)
    if (requests < 100) throw new Error('hardly anything was asked')
  }
  say(`${days} days were written while two servers and a second site followed`)
  say(`faults of the line to the site: ${JSON.stringify(Object.fromEntries(line.faults))}`)
  await line.stop()
  for (const { child, finished, stderr } of servers) {
    child.kill('SIGTERM')
    await finished
    // The line of the site makes 400 of it where credentials expire, which a run reports.
    const problem = /"level":"error".*/.exec(stderr().replaceAll(/.* answers 400: .*/g, ''))
    if (problem !== null) throw new Error(problem[0])
  }
}
say(`the proxy has seen ${spell(proxy.bill())}; faults: ${JSON.stringify(Object.fromEntries(proxy.faults))}`)
await proxy.stop()
await server.stop()
process.exit(0)
