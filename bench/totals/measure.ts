import type { Statement } from '../../src/engine/sql/compile.ts'
import { alternate, type Contestant, type Rounds } from '../support/alternate.ts'
import { median, spreadOf, thinOut } from '../support/percentiles.ts'
import type { Question, Sort } from './questions.ts'
import type { Stand } from './stand.ts'
import type { Timed, TotalsCase } from './table.ts'

type Side = 'ours' | 'same' | 'plain' | 'http' | 'bare'
type Statements = readonly (readonly Statement[])[]

/** Keeps a result of all sorts below 200 kB. */
const MOST_SAMPLES_KEPT = 200

/** Times one sort of questions on every side, in turns; `bodies` are the checked answers by address. */
export async function measure(
  stand: Stand,
  { name, questions }: Sort,
  bodies: ReadonlyMap<string, string>,
  turns: Rounds,
): Promise<TotalsCase> {
  const plain = questions.map(stand.plainStatements)
  const same: (readonly Statement[])[] = []
  for (const question of questions) same.push(await stand.sameStatements(question))

  const questionAt = (index: number) => questions[index % questions.length] as Question
  const runRaw = (statements: Statements) => async (index: number) => {
    for (const statement of statements[index % statements.length] ?? []) await stand.raw.run(statement)
  }
  const contestants: Contestant<Side>[] = [
    { name: 'ours', ask: (index) => stand.answer(questionAt(index)) },
    { name: 'http', ask: (index) => stand.served.get(questionAt(index).address) },
    { name: 'bare', ask: (index) => stand.bare.get(questionAt(index).address) },
  ]
  if (same.some((statements) => statements.length > 0)) contestants.push({ name: 'same', ask: runRaw(same) })
  if (textsOf(plain) !== textsOf(same)) contestants.push({ name: 'plain', ask: runRaw(plain) })

  const taken = await alternate(contestants, turns)
  const roundsOf = (side: Side) => taken.get(side) ?? []
  const timed = (side: Side) => (taken.has(side) ? summarize(roundsOf(side).flat()) : null)
  const ceilingRatios = roundsOf('http').map((round, at) => rate(round) / rate(roundsOf('bare')[at] ?? []))
  return {
    name,
    distinct: questions.length,
    bodyBytes: median(questions.map(({ address }) => Buffer.byteLength(bodies.get(address) ?? ''))),
    ours: summarize(roundsOf('ours').flat()),
    same: timed('same'),
    plain: timed('plain'),
    http: summarize(roundsOf('http').flat()),
    bare: summarize(roundsOf('bare').flat()),
    ceilingRatios,
    ceilingRatio: median(ceilingRatios),
  }
}

function summarize(micros: readonly number[]): Timed {
  return { ...spreadOf(micros), micros: thinOut(micros, MOST_SAMPLES_KEPT).map(Math.round) }
}

function textsOf(statements: Statements): string {
  return JSON.stringify(statements.map((group) => group.map((statement) => statement.text)))
}

/** Answers per second of one who asks again as soon as the answer is there. */
function rate(micros: readonly number[]): number {
  return (micros.length * 1e6) / micros.reduce((sum, value) => sum + value, 0)
}
