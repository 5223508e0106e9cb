import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { processesOf } from '../overload/watch.ts'
import { casesOf } from '../peers/cases.ts'
import { type Implementation, type Measured, measure, overHttp, type TimedCase } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import { cpuSeconds } from '../support/cpu-seconds.ts'
import { checkEqual } from '../support/equal-bodies.ts'
import { checkFacts, generatedFacts, storedFacts } from '../support/facts.ts'
import { startLoad } from '../support/load.ts'
import type { Asked } from '../support/load-process.ts'
import { digits, markdownTable } from '../support/markdown.ts'
import { networkSizes, quickTry, writeOracleFiles } from '../support/network.ts'
import { median } from '../support/percentiles.ts'
import { program, runToEnd, type Serving, startServing } from '../support/program.ts'
import { headOf, resultOf, writeResult } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Requests a second of one process and of two workers, with the load generator beside them. */

const { values: flags } = parseArgs({ options: { small: { type: 'boolean', default: false } } })
const workload = flags.small ? quickTry : networkSizes.small
const rounds = { rounds: flags.small ? 3 : 9, msPerTurn: flags.small ? 100 : 500, warmUpMs: 400 }
const labels = ['one', 'two'] as const
const CONNECTIONS = 32
const MOST_PATHS = 2000

type Label = (typeof labels)[number]

const parent = temporaryFolder()
const lake = join(parent, 'lake')
const { folder } = await writeOracleFiles(parent, workload)
await runToEnd([program, 'ingest', folder, '--lake', lake])
const at = await new Lake(lake).latest()
checkFacts(storedFacts(at), generatedFacts(workload))

const serve = (workers: number) =>
  startServing([
    ...[program, 'serve', '--lake', lake, '--port', '0'],
    ...['--answer-memory-mb', '0', '--workers', String(workers)],
  ])
const servers = { one: await serve(1), two: await serve(2) }
const load = startLoad()
const wanted = casesOf(workload, at).filter(
  ({ id, name }) => ['T2', 'T3'].includes(id) || name === 'random page of all',
)
/** A case, and the time on a core that each server took for one answer, engine threads included. */
type CpuCase = TimedCase<Label> & { readonly cpuMicros: Readonly<Record<Label, number>> }
const timed: CpuCase[] = []
for (const { id, name, questions } of wanted) {
  const asked = await answersOf(questions.slice(0, MOST_PATHS).map(({ address }) => address))
  for (const label of labels) await load.prepare(`${name} ${label}`, servers[label].address, asked)
  const spent = { one: { seconds: 0, answers: 0 }, two: { seconds: 0, answers: 0 } }
  const implementations = labels.map((label): Implementation<Label> => {
    const { turn } = overHttp(load, label, `${name} ${label}`, CONNECTIONS)
    return {
      label,
      async turn(ms) {
        const before = cpuSecondsOf(servers[label])
        const taken = await turn(ms)
        spent[label].seconds += cpuSecondsOf(servers[label]) - before
        spent[label].answers += taken.micros.length
        return taken
      },
    }
  })
  const one = { id, name, distinct: asked.length, connections: CONNECTIONS }
  const cpuMicros = (label: Label) => (spent[label].seconds / spent[label].answers) * 1e6
  const measured = await measure(one, implementations, rounds)
  timed.push({ ...measured, cpuMicros: { one: cpuMicros('one'), two: cpuMicros('two') } })
  console.log(`${id} ${name}: ${asked.length} answers are equal, and timed`)
}
load.stop()
for (const server of Object.values(servers)) await server.stop()

const result = resultOf('workers', [workload], timed)
console.log(`\n${headOf(result)}\n\n${tableOf(timed)}`)
if (!flags.small) console.log(`\n${writeResult(result)}`)

/** Time on a core of a server and its workers so far. */
function cpuSecondsOf(server: Serving): number {
  return processesOf(server).reduce((sum, pid) => sum + cpuSeconds(pid), 0)
}

/** Every answer of the workers must be that of the one process, byte for byte. */
async function answersOf(paths: readonly string[]): Promise<readonly Asked[]> {
  const clients = [openClient(servers.one.address), openClient(servers.two.address)] as const
  const asked: Asked[] = []
  for (const path of paths) {
    const [body, own] = await Promise.all([clients[0].get(path), clients[1].get(path)])
    checkEqual(path, { 'one process': body, 'two workers': own })
    asked.push({ path, status: 200, body: body.toString() })
  }
  for (const client of clients) client.close()
  return asked
}

function tableOf(cases: readonly CpuCase[]): string {
  const perSecond = (measured: Measured) => median(measured.perSecond)
  return markdownTable(
    ['case', 'one process, req/s', 'two workers, req/s', 'two / one', 'least to most', 'core time each, µs'],
    cases.flatMap(({ id, name, implementations: { one, two }, cpuMicros }) => {
      if (one === undefined || two === undefined) return []
      const ratios = two.perSecond.map((rate, round) => rate / (one.perSecond[round] as number))
      const cells = [
        `${id} ${name}`,
        digits(perSecond(one)),
        digits(perSecond(two)),
        digits(median(ratios)),
        `${digits(Math.min(...ratios))} to ${digits(Math.max(...ratios))}`,
        `${digits(cpuMicros.one)}, ${digits(cpuMicros.two)}`,
      ]
      return [cells]
    }),
  )
}
