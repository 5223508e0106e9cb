import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem, type } from 'node:os'
import { version as duckdbVersion } from '@duckdb/node-api'

/** Where and with what a bench ran. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  /** Of the whole machine, in gibibytes. */
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  readonly duckdb: string
  /** Short commit id; a plus sign at its end says that files were changed since. */
  readonly commit: string
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: type(),
    node: process.version,
    duckdb: duckdbVersion(),
    commit: commitId(),
  }
}

export function machineLine(machine: Machine): string {
  const { cpu, cores, memoryGb, system, node, duckdb, commit } = machine
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, DuckDB ${duckdb}, commit ${commit}`
}

/** A copy without git has no commit. */
function commitId(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    const changed =
      git('status', '--porcelain', '--untracked-files=no', '--', '../../src', '../../bin') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`
  } catch {
    return 'unknown'
  }
}
