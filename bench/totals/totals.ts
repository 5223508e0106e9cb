import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type JsonObject, writeJson } from '../../src/derive/json-writer.ts'
import type { Statement } from '../../src/engine/sql/compile.ts'
import { manifestReader } from '../../src/repository/manifests.ts'
import { openOffloadedBytes } from '../../src/repository/offloaded-bytes.ts'
import { openRepository, type Repository } from '../../src/repository/repository.ts'
import { openServices } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'
import { alternate, type Contestant } from '../support/alternate.ts'
import { openClient } from '../support/client.ts'
import { checkFacts, generatedFacts, storedFacts } from '../support/facts.ts'
import { machineLine } from '../support/machine.ts'
import { quickTry, thirtyDays, writeOracleFiles } from '../support/network.ts'
import { median, spreadOf, thinOut } from '../support/percentiles.ts'
import { program, runToEnd, startServing } from '../support/program.ts'
import { resultOf, writeResult } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openChecker } from './check.ts'
import { type Question, type Sort, sortsOf } from './questions.ts'
import { openRawDuckdb, plainStatements, recordingEngine } from './raw-duckdb.ts'
import { type Timed, type TotalsCase, totalsTables } from './table.ts'

/** Totals and pages: in process and over HTTP, beside raw DuckDB and a bare server. */

const bareServer = fileURLToPath(new URL('../support/bare-server.mjs', import.meta.url))
const MOST_SAMPLES_KEPT = 200
const { values: flags } = parseArgs({ options: { small: { type: 'boolean', default: false } } })
const workload = flags.small ? quickTry : thirtyDays
const turns = { rounds: 5, msPerTurn: flags.small ? 50 : 300, mostPerTurn: 400 }

const parent = temporaryFolder()
const lake = join(parent, 'lake')
const { folder } = await writeOracleFiles(parent, workload)
await runToEnd([program, 'ingest', folder, '--lake', lake])

const settings = readSettings({}, { lake })
const services = await openServices(settings)
const at = await services.lake.latest()
checkFacts(storedFacts(at), generatedFacts(workload))
await services.repository.warm(at)
const { prices } = await manifestReader(services.engine)(at)
const recorder = recordingEngine(services.engine)
const recording = openRepository(recorder.engine, openOffloadedBytes(recorder.engine, join(lake, '_state')))
await recording.warm(at)

const raw = await openRawDuckdb(settings)
const served = await startServing([program, 'serve', '--lake', lake, '--port', '0'])
const bare = await startServing([bareServer])
const client = openClient(served.address)
const bareClient = openClient(bare.address)

const sorts = sortsOf(workload, at)
const texts = await checkAll()
const cases: TotalsCase[] = []
for (const sort of sorts) cases.push(await measure(sort))
client.close()
bareClient.close()
raw.close()
await Promise.all([served.stop(), bare.stop(), services.close()])

const result = resultOf('totals', cases)
const { seed, name } = workload
console.log(`\n${machineLine(result.machine)}\n${name}, seed ${seed}, ${cases[0]?.shares} shares\n\n${totalsTables(result)}`)
if (!flags.small) console.log(`\n${writeResult(result)}`)

async function answer(repository: Repository, { resource, verb, query }: Question): Promise<JsonObject> {
  if (verb === 'totals') return await repository.totals(resource, query.filters, at)
  const { meta, records } = await repository.list(resource, query.filters, query, at)
  return { meta: { ...meta }, records }
}

/** Every answer is that of the files, and the served text is that answer, before anything is timed. */
async function checkAll(): Promise<ReadonlyMap<string, string>> {
  const checker = await openChecker(at)
  const checked = new Map<string, string>()
  for (const question of sorts.flatMap((sort) => sort.questions)) {
    const answered = await answer(services.repository, question)
    await checker.check(question, answered)
    const text = writeJson(answered)
    deepStrictEqual((await client.get(question.address)).toString(), text)
    await bareClient.put(question.address, text)
    checked.set(question.address, text)
  }
  checker.close()
  console.log(`${checked.size} answers checked`)
  return checked
}

async function measure({ name, questions }: Sort): Promise<TotalsCase> {
  const plain = questions.map((question) => plainStatements(question, at, prices))
  const same: (readonly Statement[])[] = []
  for (const question of questions) {
    recorder.taken()
    await answer(recording, question)
    same.push(recorder.taken())
  }
  const isSame = textsOf(plain) === textsOf(same)
  const runRaw = (statements: readonly (readonly Statement[])[]) => async (index: number) => {
    for (const statement of statements[index % statements.length] ?? []) await raw.run(statement)
  }
  const questionAt = (index: number) => questions[index % questions.length] as Question
  const contestants: Contestant<'ours' | 'same' | 'plain' | 'http' | 'bare'>[] = [
    { name: 'ours', ask: (index) => answer(services.repository, questionAt(index)) },
    { name: 'http', ask: (index) => client.get(questionAt(index).address) },
    { name: 'bare', ask: (index) => bareClient.get(questionAt(index).address) },
  ]
  if (same.some((statements) => statements.length > 0)) contestants.push({ name: 'same', ask: runRaw(same) })
  if (!isSame) contestants.push({ name: 'plain', ask: runRaw(plain) })
  const taken = await alternate(contestants, turns)
  const roundsOf = (contestant: (typeof contestants)[number]['name']) => taken.get(contestant) ?? []
  const timed = (contestant: (typeof contestants)[number]['name']): Timed | null => {
    const micros = roundsOf(contestant).flat()
    if (micros.length === 0) return null
    return { ...spreadOf(micros), micros: thinOut(micros, MOST_SAMPLES_KEPT).map(Math.round) }
  }
  const ceilingRatios = roundsOf('http').map((round, at) => rate(round) / rate(roundsOf('bare')[at] ?? []))
  console.log(`${name}: ${roundsOf('ours').flat().length} answers in process, ${roundsOf('http').flat().length} over HTTP`)
  const { resource } = questionAt(0)
  return {
    name,
    workload,
    shares: sorts.reduce((shares, sort) => Math.max(shares, 0 * sort.questions.length), 0),
    files: at.table(resource).files.length,
    distinct: questions.length,
    bodyBytes: median(questions.map(({ address }) => Buffer.byteLength(texts.get(address) ?? ''))),
    ours: timed('ours') as Timed,
    same: timed('same'),
    plain: timed('plain'),
    http: timed('http') as Timed,
    bare: timed('bare') as Timed,
    ceilingRatios,
    ceilingRatio: median(ceilingRatios),
  }
}

function textsOf(statements: readonly (readonly Statement[])[]): string {
  return JSON.stringify(statements.map((group) => group.map((statement) => statement.text)))
}

/** Answers per second of one who asks again as soon as it has the answer. */
function rate(micros: readonly number[]): number {
  return (micros.length * 1e6) / micros.reduce((sum, value) => sum + value, 0)
}
