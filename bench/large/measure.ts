import { readFileSync } from 'node:fs'
import type { casesOf } from '../peers/cases.ts'
import type { Checker } from '../peers/check.ts'
import { measure, overHttp, type Rounds } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import type { Load } from '../support/load.ts'
import type { Asked } from '../support/load-process.ts'
import type { Serving } from '../support/program.ts'
import { checkedAnswers } from './checked-answers.ts'
import type { LargeCase, LargeLabel } from './table.ts'

interface Measuring {
  readonly served: Serving
  readonly bare: Serving
  readonly load: Load
  readonly checker: Checker
  readonly rounds: Rounds
  readonly say: (line: string) => void
}

const CALLERS = [1, 16, 64]
const WANTED = ['T1', 'T2', 'T3', 'P1', 'P2', 'P3']

/** Times the cases over shares of a network, and looks after each of them what memory the server has. */
export async function measureCases(
  all: ReturnType<typeof casesOf>,
  { served, bare, load, checker, rounds, say }: Measuring,
): Promise<readonly LargeCase[]> {
  const cases: LargeCase[] = []
  for (const { id, name, questions } of all.filter((one) => WANTED.includes(one.id))) {
    const asked: readonly Asked[] = await checkedAnswers(served, questions, checker)
    const client = openClient(bare.address)
    for (const { path, body = '' } of asked) await client.put(path, body)
    client.close()
    const nameOf = (label: LargeLabel) => `${id} ${name} ${label}`
    await load.prepare(nameOf('ours'), served.address, asked)
    await load.prepareLike(nameOf('bare'), bare.address, nameOf('ours'))
    for (const connections of CALLERS) {
      const implementations = (['ours', 'bare'] as const).map((label) =>
        overHttp<LargeLabel>(load, label, nameOf(label), connections),
      )
      const timed = await measure({ id, name, distinct: asked.length, connections }, implementations, rounds)
      cases.push({ ...timed, ...memoryOf(served) })
    }
    say(`${id}, ${name}: ${asked.length} answers timed`)
  }
  return cases
}

function memoryOf({ pid }: Serving): Pick<LargeCase, 'residentMb' | 'peakMb'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
  return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }
}
