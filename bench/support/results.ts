import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codeOf } from './code.ts'
import { describeMachine, type Machine, machineLine } from './machine.ts'
import type { Workload } from './network.ts'

/** What every result says besides its cases. */
export interface Result<C> {
  readonly bench: string
  /** YYYY-MM-DD, UTC. */
  readonly date: string
  readonly machine: Machine
  /** Digests of the measured folders of `src`; older results have none. */
  readonly code?: Readonly<Record<string, string>>
  readonly workloads: readonly Workload[]
  readonly cases: readonly C[]
}

const folder = fileURLToPath(new URL('../results/', import.meta.url))

export function resultOf<C>(bench: string, workloads: readonly Workload[], cases: readonly C[]): Result<C> {
  const date = new Date().toISOString().slice(0, 10)
  return { bench, date, machine: describeMachine(), code: codeOf(bench), workloads, cases }
}

/** What was measured, where and when, in one sentence each. */
export function headOf({ date, machine, workloads }: Result<unknown>): string {
  const networks = workloads.map(({ name, seed }) => `${name} (seed ${seed})`)
  const about = networks.length === 0 ? '' : `\nMade-up networks: ${networks.join(', ')}.`
  return `${machineLine(machine)}; ${date}.${about}`
}

/** Prints a result with its tables, and writes it unless the run was a try. */
export function report(result: Result<unknown>, tables: string, isKept: boolean): void {
  console.log(`\n${headOf(result)}\n\n${tables}`)
  if (isKept) console.log(`\n${writeResult(result)}`)
}

/** Writes `bench/results/<bench>-<date>.json`, lists of numbers on one line, and gives its path. */
export function writeResult(result: Result<unknown>): string {
  mkdirSync(folder, { recursive: true })
  const path = `${folder}${result.bench}-${result.date}.json`
  const text = JSON.stringify(result, fewerDigits, 2).replace(/\[[\s\d.,]+\]/g, (list) =>
    list.replace(/\s+/g, ''),
  )
  writeFileSync(path, `${text}\n`)
  return path
}

/** Measured numbers have five digits; counts keep all of theirs. */
function fewerDigits(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}

/** The newest result of a bench; undefined when there is none. */
export function newestResult<R extends Result<unknown>>(bench: string): R | undefined {
  const name = readdirSync(folder)
    .filter((file) => new RegExp(`^${bench}-\\d{4}-\\d\\d-\\d\\d\\.json$`).test(file))
    .sort()
    .at(-1)
  return name === undefined ? undefined : (JSON.parse(readFileSync(folder + name, 'utf8')) as R)
}
