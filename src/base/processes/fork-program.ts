import { type ChildProcess, fork, spawn } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { existsSync } from 'node:fs'
import { isSea } from 'node:sea'

let script: string | undefined

/** Sets the script that starts this program; by default it is that of this process. */
export function useProgram(path: string): void {
  script = path
}

/** Arguments of Node that start this program again. A single executable has no script. */
function wordsOf(args: readonly string[]): readonly [string, ...string[]] {
  const [first = '', ...rest] = isSea() ? args : [script ?? process.argv[1] ?? '', ...args]
  return [first, ...rest]
}

/**
 * Builders drop this flag: they keep more of their objects, and need less memory with Node's default of 16 MB for young
 * ones.
 */
const isForBuilders = (flag: string) => !flag.startsWith('--max-semi-space-size')

/** Starts a command of this program that builds indexes, as a child process with a message pipe. */
export function forkProgram(args: readonly string[]): ChildProcess {
  const [first, ...rest] = wordsOf(args)
  const execArgv = process.execArgv.filter(isForBuilders)
  return fork(first, rest, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

const SHELL = '/bin/sh'

/** V8 of Node 24 and later reserves memory for code as writable; the system counts it as private before it is used. */
const RESERVED_FOR_CODE_MB = Number.parseInt(process.versions.v8, 10) >= 13 ? 512 : 0

/** Linux lets such a process run only while no other one wants its core, and other systems have no such command. */
const WHEN_IDLE = 'chrt -i 0 true 2>/dev/null && set -- chrt -i 0 "$@"; '

/**
 * Starts a command of this program as a child process with a message pipe and a limit on private memory, in MB. There
 * is no limit without a shell, or if the system does not count private memory. `whenIdle` leaves the cores to others on Linux.
 */
export function spawnBounded(
  args: readonly string[],
  privateMb: number,
  { whenIdle }: { readonly whenIdle: boolean },
): ChildProcess {
  const words = [process.execPath, ...process.execArgv.filter(isForBuilders), ...wordsOf(args)]
  const limit = `ulimit -d ${(privateMb + RESERVED_FOR_CODE_MB) * 1024} 2>/dev/null; ${whenIdle ? WHEN_IDLE : ''}exec "$@"`
  const [command = '', ...rest] = existsSync(SHELL) ? [SHELL, '-c', limit, 'sh', ...words] : words
  const env = { ...process.env, UV_THREADPOOL_SIZE: '4', DUCKDB_JE_MALLOC_CONF: GIVING_BACK }
  return spawn(command, rest, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
}

/**
 * DuckDB's allocator keeps freed memory by default, which would count against the limit. Given back at once, it would be
 * mapped again many times in a statement, which doubles its time.
 */
const GIVING_BACK = 'retain:false,dirty_decay_ms:100,muzzy_decay_ms:0'

/** First descriptor after standard input, output, errors and the pipe of the cluster. */
export const FIRST_INHERITED = 4

/**
 * Starts a worker with the command line of this process. It inherits open files from descriptor `FIRST_INHERITED` on.
 * Workers accept connections themselves: a parent would slow them down, and a connection passed to a worker that is
 * killed would never be closed.
 */
export function forkWorker(inherited: readonly number[]): Worker {
  const [exec, ...args] = wordsOf(process.argv.slice(2))
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc', ...inherited] as const
  cluster.setupPrimary({ exec, args, serialization: 'json', stdio: [...stdio] })
  return cluster.fork()
}
