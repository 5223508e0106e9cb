import { cpSync, linkSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, must, runMain } from '../../support/servers/run-main.ts'
import type { FaultKind } from '../faults/faults.ts'
import type { Held } from './lake-checks.ts'
import { makeTinySteps } from './oracle-steps.ts'
import type { Step } from './steps.ts'

/** Work of the program that is interrupted, and what has to hold afterwards. */
export interface Scenario {
  readonly name: string
  /** Makes the folder as it is before. */
  prepare(folder: string): Promise<void>
  /** Done again without a fault it has to succeed. */
  act(folder: string): Promise<Ended>
  /** What must hold after a fault; `ended` is undefined when the process ended with it. */
  check(folder: string, ended: Ended | undefined, kind: FaultKind): Promise<void>
  /** What must hold once it was done again. */
  checkEnd(folder: string): Promise<void>
}

/** A scenario that is one command of the program, which can be killed as a process too. */
export interface CommandScenario extends Scenario {
  command(folder: string): readonly string[]
  /** Words with which it refuses to do again what is done already. */
  readonly doneAlready?: RegExp
  /** States of the lake, where it has one that others may read meanwhile. */
  held?(): Held
}

/** A scenario of a command, which runs in this process. */
export function ofCommand(scenario: Omit<CommandScenario, 'act'>): CommandScenario {
  return {
    ...scenario,
    async act(folder) {
      const ended = await runMain(scenario.command(folder))
      return isDone(scenario, ended) ? { ...ended, code: 0 } : ended
    },
  }
}

/** Whether a command has succeeded, perhaps an earlier time. */
export function isDone(
  { doneAlready }: Pick<CommandScenario, 'doneAlready'>,
  { code, stderr }: { readonly code: number | null; readonly stderr: string },
): boolean {
  return code === 0 || (code !== null && doneAlready?.test(stderr) === true)
}

export const lakeIn = (folder: string) => join(folder, 'lake')

/** Input of a scenario lies in this folder; it and data files never change, so copies of a folder share them. */
export const INPUT = 'input'

/** Flags of a command that needs little memory. */
export const SMALL = ['--engine-threads', '1', '--ingest-memory-mb', '64']

/** Makes the tiny steps, and a lake of the first so many of them. */
export async function growLake(folder: string, count: number, ...flags: readonly string[]) {
  const steps = await makeTinySteps(join(folder, INPUT))
  for (const { args } of steps.slice(0, count))
    await must('ingest', ...args, '--lake', lakeIn(folder), ...flags, ...SMALL)
  return steps as readonly [Step, Step, Step]
}

/** A copy to put faults into. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [own, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(own, copy)
    else if (/\.(parquet|gz|ndjson)$/.test(entry.name) && !own.includes('keys')) linkSync(own, copy)
    else cpSync(own, copy)
  }
}

/** Makes what a run of this process left as if its process were gone, as it is after every command. */
export function endProcesses(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === INPUT) continue
    endProcesses(join(folder, entry.name))
    const [space, pid, ...id] = entry.name.split('-')
    if (pid !== String(process.pid) || id.length === 0) continue
    // No process has such a number.
    renameSync(join(folder, entry.name), join(folder, [space, '2147483646', ...id].join('-')))
  }
}
