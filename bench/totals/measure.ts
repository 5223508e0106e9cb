import type { Statement } from '../../src/engine/sql/compile.ts'
import { alternate, type Implementation, type Rounds } from '../support/alternate.ts'
import { median, spreadOf, thinOut } from '../support/percentiles.ts'
import type { Question, Sort } from './questions.ts'
import type { Setup } from './setup.ts'
import type { Timed, TotalsCase } from './table.ts'

type Label = 'ours' | 'same' | 'plain' | 'http' | 'bare'
type Statements = readonly (readonly Statement[])[]

/** Keeps a result of all sorts below 200 kB. */
const MOST_SAMPLES_KEPT = 200

/** Times one sort of questions by every implementation, in turns; `bodies` are the checked answers by address. */
export async function measure(
  setup: Setup,
  { name, questions }: Sort,
  bodies: ReadonlyMap<string, string>,
  turns: Rounds,
): Promise<TotalsCase> {
  const plain = questions.map(setup.plainStatements)
  const same: (readonly Statement[])[] = []
  for (const question of questions) same.push(await setup.sameStatements(question))

  const questionAt = (index: number) => questions[index % questions.length] as Question
  const runRaw = (statements: Statements) => async (index: number) => {
    for (const statement of statements[index % statements.length] ?? []) await setup.raw.run(statement)
  }
  const implementations: Implementation<Label>[] = [
    { name: 'ours', ask: (index) => setup.answer(questionAt(index)) },
    { name: 'http', ask: (index) => setup.served.get(questionAt(index).address) },
    { name: 'bare', ask: (index) => setup.bare.get(questionAt(index).address) },
  ]
  if (same.some((statements) => statements.length > 0))
    implementations.push({ name: 'same', ask: runRaw(same) })
  if (textsOf(plain) !== textsOf(same)) implementations.push({ name: 'plain', ask: runRaw(plain) })

  const taken = await alternate(implementations, turns)
  const roundsOf = (label: Label) => taken.get(label) ?? []
  const timed = (label: Label) => (taken.has(label) ? summarize(roundsOf(label).flat()) : null)
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
