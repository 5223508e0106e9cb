import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeJson } from '../../src/base/values/json-writer.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { openServices, type Services } from '../../src/services/services.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { alternate } from '../support/alternate.ts'
import { networkSizes, quickTry, writeOracleFiles } from '../support/network.ts'
import { median, percentile } from '../support/percentiles.ts'
import { program, runToEnd } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Question, sortsOf } from '../totals/questions.ts'

/** What it costs to compare files with their digests: the same answers with and without, in turns, in one process. */

const { values: flags } = parseArgs({
  options: { small: { type: 'boolean', default: false }, lake: { type: 'string', default: '' } },
})
const workload = flags.small
  ? { ...quickTry, name: '6 days x 4,000 hotspots', days: 6, hotspots: 4000 }
  : networkSizes.small
const turns = { rounds: flags.small ? 20 : 40, msPerTurn: 100, mostPerTurn: 400 }

const lake = flags.lake === '' ? await makeLake() : flags.lake
const settings = readSettings({}, { lake, engine_memory_mb: '512' })
const at = await new Lake(lake).latest()

/** A file for each day and network, as an operator's lake has them before it is compacted. */
async function makeLake(): Promise<string> {
  const parent = temporaryFolder()
  const { folder } = await writeOracleFiles(parent, workload)
  const made = join(parent, 'lake')
  await runToEnd([program, 'ingest', folder, '--lake', made, '--ingest-commit-rows', '1'])
  return made
}

const open = async (areFilesChecked: boolean, worthwhileRows?: number) => {
  const services = await openServices(settings, {
    areFilesChecked,
    ...(worthwhileRows && { worthwhileRows }),
  })
  await services.warm(at)
  return services
}

async function answer({ repository }: Services, { resource, verb, query }: Question, of: Snapshot) {
  if (verb === 'totals') return await repository.totals(resource, query.filters, of).read()
  const { meta, records } = await repository.list(resource, query.filters, query, of)
  return { meta: { ...meta }, records }
}

/** On a machine that others use as well the time of the processor and the fastest fifth tell more than the middle; so all are shown. */
async function compare(name: string, asks: Record<'with' | 'without', (index: number) => Promise<unknown>>) {
  const used = { with: { micros: 0, answers: 0 }, without: { micros: 0, answers: 0 } }
  const implementation = (own: keyof typeof used) => ({
    name: own,
    async ask(index: number) {
      const before = process.cpuUsage()
      await asks[own](index)
      const { user, system } = process.cpuUsage(before)
      used[own].micros += user + system
      used[own].answers += 1
    },
  })
  const taken = await alternate([implementation('with'), implementation('without')], turns)
  const [checked = [], unchecked = []] = [taken.get('with'), taken.get('without')]
  const ratios = checked.map((samples, round) => median(samples) / median(unchecked[round] ?? []))
  const [micros = 0, bare = 0] = [checked, unchecked].map((rounds) => percentile(rounds.flat(), 0.2))
  const [cpu, bareCpu] = [used.with, used.without].map((of) => of.micros / of.answers) as [number, number]
  const cells = [
    ...[bare.toFixed(0), micros.toFixed(0), (micros / bare).toFixed(3), median(ratios).toFixed(3)],
    ...[bareCpu.toFixed(0), cpu.toFixed(0), (cpu / bareCpu).toFixed(3)],
  ]
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}

async function compareAnswers(prefix: string, worthwhileRows?: number): Promise<void> {
  const [checked, bare] = [await open(true, worthwhileRows), await open(false, worthwhileRows)]
  for (const { name, questions } of sortsOf(workload, at)) {
    if (!/^IoT.*(totals, (whole|random|one)|page)/.test(name)) continue
    if (prefix !== '' && !name.includes('hotspot')) continue
    for (const question of questions.slice(0, 50))
      deepStrictEqual(
        writeJson(await answer(checked, question, at)),
        writeJson(await answer(bare, question, at)),
      )
    const asker = (services: Services) => (index: number) =>
      answer(services, questions[index % questions.length] as Question, at)
    await compare(`${prefix}${name}`, { with: asker(checked), without: asker(bare) })
  }
  await checked.close()
  await bare.close()
}

/** Opens everything, answers a page, and closes. */
const start = (areFilesChecked: boolean, question: Question) => async () => {
  const services = await open(areFilesChecked)
  await answer(services, question, at)
  await services.close()
}

const bytes = at.tables.flatMap((table) => table.files).reduce((sum, file) => sum + file.bytes, 0)
const files = at.tables.reduce((sum, table) => sum + table.files.length, 0)
console.log(`${workload.name}: ${files} files of ${(bytes / 1e6).toFixed(1)} MB`)
console.log(
  '| case | without, µs | with, µs | with / without | middle of rounds | processor without, µs | with, µs | with / without |\n' +
    '|---|---:|---:|---:|---:|---:|---:|---:|',
)
await compareAnswers('')
await compareAnswers('without index: ', Number.MAX_SAFE_INTEGER)
const [page] = sortsOf(workload, at).filter(({ name }) => name.includes('first page'))
const [first] = page?.questions ?? []
if (first !== undefined)
  await compare('open, prepare, answer a page, close', {
    with: start(true, first),
    without: start(false, first),
  })
