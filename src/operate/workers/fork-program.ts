import { type ChildProcess, fork, spawn } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { existsSync } from 'node:fs'
import { isSea } from 'node:sea'

/** Node's arguments that start this program again; a single executable is its own Node and has no script. */
function wordsOf(args: readonly string[]): readonly [string, ...string[]] {
  const [first = '', ...rest] = isSea() ? args : [process.argv[1] ?? '', ...args]
  return [first, ...rest]
}

/** Builders keep more of their objects, and need less memory with the default of 16 MB for young objects. */
const isForBuilders = (flag: string) => !flag.startsWith('--max-semi-space-size')

/** Starts a command of this program, which builds something, as a process of its own, with a pipe for messages. */
export function forkProgram(args: readonly string[]): ChildProcess {
  const [script, ...rest] = wordsOf(args)
  const execArgv = process.execArgv.filter(isForBuilders)
  return fork(script, rest, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

const SHELL = '/bin/sh'

/**
 * Starts a command of this program as a process of its own, with a pipe for messages, which the system gives at most so many MB of
 * private memory. Without a shell, and where the system does not count private memory, there is no such limit.
 */
export function spawnBounded(args: readonly string[], privateMb: number): ChildProcess {
  const words = [process.execPath, ...process.execArgv.filter(isForBuilders), ...wordsOf(args)]
  const limit = `ulimit -d ${privateMb * 1024} 2>/dev/null; exec "$@"`
  const [command = '', ...rest] = existsSync(SHELL) ? [SHELL, '-c', limit, 'sh', ...words] : words
  const env = { ...process.env, UV_THREADPOOL_SIZE: '4', DUCKDB_JE_MALLOC_CONF: GIVING_BACK }
  return spawn(command, rest, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
}

/** DuckDB's allocator keeps what was freed as private memory unless it is told not to; it would count against the limit. */
const GIVING_BACK = 'retain:false,dirty_decay_ms:0,muzzy_decay_ms:0'

/** Behind standard input, output and errors, and the pipe of the cluster. */
export const FIRST_INHERITED = 4

/**
 * Starts a worker, which runs the command that this process runs. It has open files of this process as its own, from `FIRST_INHERITED` on. Workers
 * accept connections themselves: a parent that accepts for them would be in the way of each, and a connection on its way to a worker that is killed
 * would never be closed.
 */
export function forkWorker(inherited: readonly number[]): Worker {
  const [exec, ...args] = wordsOf(process.argv.slice(2))
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc', ...inherited] as const
  cluster.setupPrimary({ exec, args, serialization: 'json', stdio: [...stdio] })
  return cluster.fork()
}
