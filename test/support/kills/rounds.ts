import assert from 'node:assert/strict'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deriveSeed, openRandom, type Random } from '../../../src/sample/random.ts'
import { leftoversOf } from '../leftovers.ts'
import { runProgram } from '../run-program.ts'
import { makeManyCommits, makeSteps, type Step } from './inputs.ts'
import { factsOf, finishIngest, killIngest, type Moment, type Phase, phaseOf } from './run.ts'
import { describeSource, type SourceSums, visibleSources } from './visible.ts'

/** Ingests killed at random moments, and what has to hold after each of them. */

export interface KillOptions {
  readonly folder: string
  readonly runs: number
  readonly seed: number
  /** Hotspots of the network that is taken in; they decide how long an ingest takes. */
  readonly hotspots: number
  readonly onRound?: (round: Round) => void
}

export interface Round {
  readonly number: number
  readonly kind: 'on a fresh lake' | 'on a lake left behind' | 'beside another ingest' | 'around a checkpoint'
  readonly step: string
  readonly moment: Moment
  /** Undefined when the ingest was over before its kill. */
  readonly phase: Phase | undefined
  /** Rows that were visible after the kill, and that are to be. */
  readonly rows: number
  readonly rowsAtEnd: number
}

/** How an ingest is called that commits every few hundred rows, and one that commits every file. */
const commitRows = { few: ['--ingest-commit-rows', '250'], one: ['--ingest-commit-rows', '1'] }
const everyTenth = { checkpoint: 4, concurrent: 7 }

/** Kills `runs` ingests, as the seed says. Throws at the first lake that is not as it has to be. */
export async function killIngests(options: KillOptions): Promise<readonly Round[]> {
  const { folder, runs, seed } = options
  const steps = await makeSteps(folder, options.hotspots)
  const many = makeManyCommits(join(folder, 'many'))
  const summedUp = join(folder, 'before-checkpoint')
  await finishIngest(summedUp, [...many.before.args, ...commitRows.one])
  const random = openRandom(deriveSeed('kills', seed))
  const measured = await measure(join(folder, 'measured'), steps)
  const rounds: Round[] = []
  let lake = join(folder, 'lake-0')
  let next = 0

  for (let number = 1, kills = 0; kills < runs; number += 1) {
    const round =
      number % 10 === everyTenth.checkpoint
        ? await checkpointRound(number)
        : number % 10 === everyTenth.concurrent
          ? await concurrentRound(number)
          : await chainRound(number)
    rounds.push(round)
    if (round.phase !== undefined) kills += 1
    options.onRound?.(round)
  }
  return rounds

  /** One ingest after the other into one lake; some go on with what a kill left, others with what was mended. */
  async function chainRound(number: number): Promise<Round> {
    const [step, held] = [steps[next] as Step, steps[next - 1]?.sources ?? []]
    const kind = existsSync(lake) ? 'on a lake left behind' : 'on a fresh lake'
    const moment = drawMoment(random, measured[next] as Measured)
    const args = [...step.args, ...commitRows.few]
    const round = await killAndCheck({ number, kind, step, held, lake, moment, args })
    if (random.chance(0.3) && existsSync(lake)) {
      const copy = join(folder, `copy-${number}`)
      cpSync(lake, copy, { recursive: true })
      await mend(copy, args, step)
      rmSync(copy, { recursive: true })
      return round
    }
    await mend(lake, args, step)
    next = (next + 1) % steps.length
    if (next === 0) {
      rmSync(lake, { recursive: true })
      lake = join(folder, `lake-${number}`)
    }
    return round
  }

  async function concurrentRound(number: number): Promise<Round> {
    const [step] = steps
    const own = join(folder, `beside-${number}`)
    const args = [...step.args, ...commitRows.few]
    const survivor = finishIngest(own, args)
    const moment = drawMoment(random, measured[0] as Measured)
    const kill = killIngest(own, args, moment)
    const [isKilled] = await Promise.all([kill, survivor])
    const visible = await checkVisible(own, step, step.sources)
    await mend(own, args, step)
    rmSync(own, { recursive: true })
    const rows = rowsOf(visible)
    const phase = isKilled ? 'while another ingest went on' : undefined
    return { number, kind: 'beside another ingest', step: step.name, moment, phase, rows, rowsAtEnd: rows }
  }

  async function checkpointRound(number: number): Promise<Round> {
    const own = join(folder, `checkpoint-${number}`)
    cpSync(summedUp, own, { recursive: true })
    const args = [...many.step.args, ...commitRows.one]
    const moment: Moment = random.chance(0.8)
      ? { after: 'checkpoint', count: 1 + random.below(2), delayMs: random.below(4) }
      : { after: 'log entry', count: 1 + random.below(3), delayMs: random.below(20) }
    const held = many.before.sources
    const kind = 'around a checkpoint'
    const round = await killAndCheck({ number, kind, step: many.step, held, lake: own, moment, args })
    await mend(own, args, many.step)
    rmSync(own, { recursive: true })
    return round
  }
}

interface KillRound extends Pick<Round, 'number' | 'kind' | 'moment'> {
  readonly step: Step
  /** What the lake had before. */
  readonly held: readonly SourceSums[]
  readonly lake: string
  readonly args: readonly string[]
}

async function killAndCheck({ number, kind, step, held, lake, moment, args }: KillRound): Promise<Round> {
  const before = factsOf(lake)
  const isKilled = await killIngest(lake, args, moment)
  const visible = existsSync(lake) ? await checkVisible(lake, step, held) : []
  const isComplete = textsOf(visible).join() === textsOf(step.sources).join()
  const phase = !isKilled ? undefined : phaseOf(lake, before, isComplete)
  const [rows, rowsAtEnd] = [rowsOf(visible), rowsOf(step.sources)]
  return { number, kind, step: step.name, moment, phase, rows, rowsAtEnd }
}

/** Every source is in wholly or not at all, and what was in before still is, in its old bytes or its new ones. */
async function checkVisible(
  lake: string,
  step: Step,
  held: readonly SourceSums[],
): Promise<readonly SourceSums[]> {
  const visible = await visibleSources(lake)
  const allowed = new Set(textsOf([...held, ...step.sources]))
  const odd = textsOf(visible).filter((text) => !allowed.has(text))
  assert.deepEqual(odd, [], `${lake} shows sources that are not whole`)
  const shown = new Set(visible.map(({ table, name }) => `${table} ${name}`))
  const lost = held.filter(({ table, name }) => !shown.has(`${table} ${name}`))
  assert.deepEqual(lost, [], `${lake} has lost sources`)
  await checkStatus(lake, visible)
  return visible
}

/** The program opens the lake and counts what is in it. */
async function checkStatus(lake: string, visible: readonly SourceSums[]): Promise<void> {
  const { code, stdout, stderr } = await runProgram(['status', '--json', '--lake', lake], { cwd: lake })
  assert.equal(code, 0, `${lake} does not open: ${stderr}`)
  const { tables } = JSON.parse(stdout) as { tables: readonly { table: string; rows: number }[] }
  for (const { table, rows } of tables.filter((status) => status.table !== 'rejects')) {
    assert.equal(rows, rowsOf(visible.filter((source) => source.table === table)), `${table} of ${lake}`)
  }
}

/** The same ingest once more completes the lake and leaves nothing behind. */
async function mend(lake: string, args: readonly string[], step: Step): Promise<void> {
  await finishIngest(lake, args)
  assert.deepEqual(textsOf(await visibleSources(lake)), textsOf(step.sources), `${lake} is not complete`)
  assert.deepEqual(leftoversOf(lake), [], `${lake} has files that nothing names`)
}

function textsOf(sources: readonly SourceSums[]): readonly string[] {
  return sources.map(describeSource).sort()
}

function rowsOf(sources: readonly SourceSums[]): number {
  return sources.reduce((sum, source) => sum + source.rows, 0)
}

/** What an ingest does when nobody kills it. */
interface Measured {
  readonly ms: number
  readonly commits: number
}

async function measure(lake: string, steps: readonly Step[]): Promise<readonly Measured[]> {
  const measured: Measured[] = []
  for (const step of steps) {
    const before = factsOf(lake).versions
    const ms = await finishIngest(lake, [...step.args, ...commitRows.few])
    assert.deepEqual(textsOf(await visibleSources(lake)), textsOf(step.sources))
    measured.push({ ms: Math.ceil(ms), commits: factsOf(lake).versions - before })
  }
  rmSync(lake, { recursive: true })
  return measured
}

/** Before that a process is still starting. */
const STARTING_MS = 100

/** Some kills fall anywhere; the others wait for a file, so that a commit is hit too. */
function drawMoment(random: Random, { ms, commits }: Measured): Moment {
  if (random.chance(0.4)) {
    return { after: 'start', count: 0, delayMs: STARTING_MS + random.below(ms - STARTING_MS) }
  }
  const count = 1 + random.below(commits)
  return random.chance(0.7)
    ? { after: 'data file', count, delayMs: random.below(2) }
    : { after: 'log entry', count, delayMs: random.below(100) }
}
