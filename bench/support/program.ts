import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The built program as a process of its own, watched from outside. */
export const program = fileURLToPath(new URL('../../bin/ledgerlake', import.meta.url))
/** node:http alone, which is given the bytes to send. */
export const bareServer = fileURLToPath(new URL('bare-server.mjs', import.meta.url))

// Each program that is started has a listener that ends it with this process.
process.setMaxListeners(50)

const WATCH_EVERY_MS = 10
const CLOCK_TICKS_PER_SECOND = 100

export interface Run {
  readonly stdout: string
  /** From the start of the process to its end. */
  readonly seconds: number
  /** Time on a core, user and system; null where there is no /proc. */
  readonly cpuSeconds: number | null
  /** Most resident memory at any time, in mebibytes; null where there is no /proc. */
  readonly peakMb: number | null
}

/** Variables of the environment besides those of this process, of which settings of the program are left out. */
export type Env = Readonly<Record<string, string>>

/** Runs a program of Node to its end; throws when it does not leave with 0, with what it said. */
export async function runToEnd(args: readonly string[], env: Env = {}): Promise<Run> {
  const started = performance.now()
  const child = start(args, env)
  const watch = watchProcess(child.pid)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.on('data', (text: string) => {
    output.stderr += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const seconds = (performance.now() - started) / 1000
  const seen = watch.stop()
  if (code !== 0) throw new Error(`${args.join(' ')} left with ${code}: ${output.stderr}`)
  return { stdout: output.stdout, seconds, ...seen }
}

/** Flags of a server that 64 callers may ask what is slow: it lets them wait, and does not report it. */
export const patient = ['--most-wait-ms', '600000', '--log-level', 'error'] as const

export interface Serving {
  /** Without a slash at the end. */
  readonly address: string
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Starts a program of Node that prints `at http://…/` once it listens. Its standard error goes to `log`, a function or the
 * descriptor of a file.
 */
export async function startServing(
  args: readonly string[],
  env: Env = {},
  log: number | ((text: string) => unknown) = (text) => process.stderr.write(text),
): Promise<Serving> {
  const child = start(args, env, typeof log === 'number' ? log : 'pipe')
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let said = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: string) => {
      said += text
      const printed = / at (http:\/\/\S+)\/\n/.exec(said)?.[1]
      if (printed !== undefined) resolve(printed)
    })
    if (typeof log !== 'number') child.stderr?.on('data', log)
    ended.then(() => reject(new Error(`${args.join(' ')} ended: ${said}`)))
  })
  return {
    address,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Serves a lake by one process of the built program. */
export function serveLake(lake: string, ...flags: readonly string[]): Promise<Serving> {
  return startServing([program, 'serve', '--lake', lake, '--port', '0', '--workers', '1', ...flags])
}

type Child = ChildProcessByStdio<Writable, Readable, Readable | null>

function start(args: readonly string[], env: Env, errors: 'pipe' | number = 'pipe'): Child {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('LEDGERLAKE_'))
  const [file = '', ...rest] = hasInterpreter(args[0] ?? '') ? args : [process.execPath, ...args]
  const stdio = ['pipe', 'pipe', errors] as const
  const child = spawn(file, rest, {
    stdio: [...stdio],
    env: { ...Object.fromEntries(inherited), ...env },
  }) as Child
  // Before the temporary folder is removed, which it would write into.
  const kill = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', kill)
  child.once('close', () => process.off('exit', kill))
  child.stdout.setEncoding('utf8')
  child.stderr?.setEncoding('utf8')
  return child
}

/** Whether a program can be run by itself, with the flags for Node that its first line has. */
function hasInterpreter(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Both numbers only grow, so the last ones seen are those of the whole run, but for its last moments. */
function watchProcess(pid: number | undefined) {
  let peakMb: number | null = null
  let cpuSeconds: number | null = null
  const timer = setInterval(() => {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1]
    if (kilobytes !== undefined) peakMb = Number(kilobytes) / 1024
    // The name of the program, in brackets, may hold blanks; user and system time are the 12th and 13th after it.
    const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ')
    if (fields !== undefined) cpuSeconds = (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND
  }, WATCH_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return { peakMb, cpuSeconds }
    },
  }
}

function readProc(pid: number | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
