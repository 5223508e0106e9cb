import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeLongLog } from '../../test/support/tables/long-log.ts'
import { bytesBelow } from '../peers/bytes.ts'
import { cpuSeconds } from '../support/cpu-seconds.ts'
import { digits, markdownTable } from '../support/markdown.ts'
import { median } from '../support/percentiles.ts'
import { serveLake } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** From the start of a server to its first right answer over logs of few and of many commits, both with the same live files. */

const { values: flags } = parseArgs({
  options: { small: { type: 'boolean', default: false }, commits: { type: 'string', default: '100000' } },
})
const LIVE = flags.small ? 200 : 2000
const SOURCES = 10
const commits = { few: 10, many: flags.small ? 2000 : Number(flags.commits) }
const ROUNDS = flags.small ? 3 : 9
const labels = ['few', 'many'] as const
type Label = (typeof labels)[number]

const parent = temporaryFolder()
const lakes = { few: join(parent, 'few'), many: join(parent, 'many') }
await writeLongLog(lakes.few, {
  ...{ commits: commits.few, live: LIVE, filesPerCommit: LIVE / commits.few, sourcesPerFile: SOURCES },
})
await writeLongLog(lakes.many, {
  ...{ commits: commits.many, live: LIVE, sourcesPerFile: SOURCES, checkpointEvery: 1000 },
})

const samples: Record<Label, { readonly wallMs: number; readonly cpuMs: number }[]> = { few: [], many: [] }
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const label of round % 2 === 0 ? labels : [...labels].reverse()) {
    const sample = await startOnce(label)
    // The first round fills the caches of the disk.
    if (round > 0) samples[label].push(sample)
  }
}

async function startOnce(label: Label) {
  const started = performance.now()
  const server = await serveLake(lakes[label], '--state', join(parent, `state-${label}`))
  const reply = await fetch(
    `${server.address}/v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2025-02-01`,
  )
  const text = await reply.text()
  const wallMs = performance.now() - started
  const cpuMs = cpuSeconds(server.pid) * 1000
  await server.stop()
  const total = /"total_amount":(\d+)/.exec(text)?.[1]
  if (total !== String(LIVE * SOURCES)) throw new Error(`the total is ${total}: ${text}`)
  return { wallMs, cpuMs }
}

const cases = labels.map((label) => ({
  ...{
    commits: commits[label],
    live: LIVE,
    logBytes: bytesBelow(join(lakes[label], 'iot_reward_shares', '_delta_log')),
  },
  wallMs: samples[label].map(({ wallMs }) => wallMs),
  cpuMs: samples[label].map(({ cpuMs }) => cpuMs),
}))
const result = resultOf('long-log', [], cases)
const tables = markdownTable(
  ['commits', 'first answer, ms', 'time on a core, ms', 'bytes of log'],
  cases.map((own) => [own.commits, median(own.wallMs), median(own.cpuMs), own.logBytes].map(digits)),
)
report(result, tables, !flags.small)
