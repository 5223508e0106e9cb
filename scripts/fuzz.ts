import { fork } from 'node:child_process'
import { setPriority, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { markdownTable, whole } from '../bench/support/markdown.ts'
import { type PartRequest, readProgress, runPart } from '../test/support/fuzz/part.ts'
import type { Progress, Tally } from '../test/support/fuzz/run.ts'
import { openRun, wholeOf } from '../test/support/open-run.ts'

/**
 * Asks and feeds the program cases drawn from a seed, half of them changed: npm run test:long -- fuzz --cases 1000000 --seed 1
 * --only rest,graphql: these targets alone; --resume FILE: keeps how far the parts are in FILE.0, FILE.1, and goes on from there;
 * --case rest:17.2045: one case, as a fault names it. Exit code 1 when there was a fault.
 */

const { values, seconds } = openRun({
  ...{ cases: '100000', seed: '1', only: '', parts: '2' },
  ...{ resume: undefined, case: undefined, part: undefined },
})

const NICE = 10
/** Longer than any case and any batch of them takes. */
const SILENT_MS = 300_000
const parts = values.case === undefined ? wholeOf('parts', values.parts) : 1
const cases = wholeOf('cases', values.cases)
const base = resolve(values.resume ?? join(tmpdir(), `ledgerlake-fuzz-${process.ppid}-${process.pid}`))
const only = values.only.split(',').filter((name) => name !== '')

function requestOf(part: number): PartRequest {
  const own = Math.floor(cases / parts) + (part < cases % parts ? 1 : 0)
  const file = values.part === undefined ? `${base}.${part}` : base
  return { seed: values.seed, part, of: parts, cases: own, only, file, one: values.case }
}

if (values.case !== undefined) await runPart(requestOf(0))
else if (values.part !== undefined) {
  setPriority(NICE)
  await runPart({ ...requestOf(Number(values.part)), file: `${base}.${values.part}` })
  process.exit()
} else await runParts()

async function runParts(): Promise<void> {
  const ended = await Promise.all(Array.from({ length: parts }, (_, part) => runChild(part)))
  const all = Array.from({ length: parts }, (_, part) => readProgress(`${base}.${part}`)).filter(
    (one) => one !== undefined,
  )
  report(all)
  for (const sentence of ended.filter((one) => one !== '')) console.error(sentence)
  process.exitCode = ended.some((one) => one !== '') || all.some(({ faults }) => faults.length > 0) ? 1 : 0
}

/** Gives what was wrong with the process itself, or nothing. */
function runChild(part: number): Promise<string> {
  const given = { part, parts, cases, seed: values.seed, resume: base, only: values.only }
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const child = fork(fileURLToPath(import.meta.url), args, { execArgv: process.execArgv })
  let done = 0
  let silent = ''
  let timer = setTimeout(stop, SILENT_MS)
  function stop(): void {
    silent = `part ${part} said nothing for ${SILENT_MS / 1000} s after its case ${done}`
    child.kill('SIGKILL')
  }
  child.on('message', (count) => {
    done = Number(count)
    clearTimeout(timer)
    timer = setTimeout(stop, SILENT_MS)
  })
  return new Promise((end) =>
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      end(silent || (code === 0 ? '' : `part ${part} ended with ${code ?? signal} after its case ${done}`))
    }),
  )
}

function report(all: readonly Progress[]): void {
  const names = [...new Set(all.flatMap(({ tallies }) => Object.keys(tallies)))]
  const columns = ['valid', 'mutated', 'data', 'empty', 'refused', 'ignored', 'branches'] as const
  const sum = (name: string, column: keyof Tally) =>
    all.reduce((count, { tallies }) => count + (tallies[name]?.[column] ?? 0), 0)
  const rows = names.map((name) => [name, ...columns.map((column) => whole(sum(name, column)))])
  console.log(markdownTable(['target', ...columns], rows))
  const done = all.reduce((count, one) => count + one.done, 0)
  const faults = all.flatMap((one) => one.faults)
  console.log(
    `${whole(done)} cases, seed ${values.seed}, ${parts} parts, ${seconds()} s; ${faults.length} faults`,
  )
  for (const fault of faults) console.log(`- ${fault}`)
}
