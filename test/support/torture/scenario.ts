import { cpSync, linkSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Ended } from '../run-main.ts'
import type { FaultKind } from './faults.ts'

/** What a program does while faults are put into it, and what has to hold afterwards. */
export interface Scenario {
  readonly name: string
  /** Makes what is there before. */
  prepare(folder: string): Promise<void>
  /** The command line of what is done, where it is a command of the program. */
  command?(folder: string): readonly string[]
  /** What is done. Done again without a fault it has to succeed. */
  act(folder: string): Promise<Ended>
  /** What must hold after a fault; `ended` is undefined when the process ended with it. */
  check(folder: string, ended: Ended | undefined, kind: FaultKind): Promise<void>
  /** What must hold once it was done again. */
  checkEnd(folder: string): Promise<void>
}

/** Input of a scenario lies in this folder; it and data files never change, so copies of a folder share them. */
export const INPUT = 'input'

/** Flags of a command that needs little memory. */
export const SMALL = ['--engine-threads', '1', '--ingest-memory-mb', '64']

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
