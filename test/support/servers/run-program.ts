import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanUp } from '../clean-up.ts'

/** The built program as a process of its own, as a shell would start it, or the one that PROGRAM_UNDER_TEST names. */

const other = process.env.PROGRAM_UNDER_TEST
const built = fileURLToPath(new URL('../../../bin/ledgerlake', import.meta.url))
/** What a shell would start: a command and its first arguments. */
export const program = other === undefined ? [process.execPath, built] : [resolve(other)]
// Long enough for a busy machine: it only ends what hangs.
const LONGEST_MS = 600_000

export interface Surroundings {
  readonly cwd: string
  /** Variables besides those that any program gets. */
  readonly env?: Readonly<Record<string, string>>
  /** Runs as a user to whom nothing belongs: permissions do not bind root. Others run as themselves. */
  readonly asOther?: boolean
  /** The longest file that the program may write, in blocks of 512 bytes. */
  readonly fileBlocks?: number
}

export interface Finished {
  /** Exit code; null when the program had to be killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A program that is still running, and what it has said so far. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly finished: Promise<Finished>
  readonly stdout: () => string
  readonly stderr: () => string
}

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }

/** A program that a test leaves running is killed when the test is over. */
export function startProgram(args: readonly string[], around: Surroundings): Running {
  const { cwd, env = {}, asOther = false, fileBlocks } = around
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('LEDGERLAKE_'))
  const limited = fileBlocks === undefined ? [] : ['sh', '-c', `ulimit -f ${fileBlocks}; exec "$@"`, 'sh']
  const [command, ...words] = [...limited, ...program, ...args]
  const child = spawn(command as string, words, {
    cwd,
    // Most tests are about one process; those about several say so.
    env: { ...Object.fromEntries(inherited), LEDGERLAKE_WORKERS: '1', ...env },
    ...(asOther && isRoot && nobody),
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  cleanUp(async () => {
    child.kill('SIGKILL')
    await finished.catch(() => {})
  })
  return { child, finished, stdout: () => stdout, stderr: () => stderr }
}

/** Runs a program to its end; one that does not end is killed. */
export async function runProgram(args: readonly string[], around: Surroundings): Promise<Finished> {
  const { child, finished } = startProgram(args, around)
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
  try {
    return await finished
  } finally {
    clearTimeout(timer)
  }
}

export interface Serving extends Running {
  /** The address that the program printed, without a slash at the end. */
  readonly address: string
}

/** Starts `serve` and waits for the address that it prints; throws when it ends without one. */
export async function startServing(args: readonly string[], around: Surroundings): Promise<Serving> {
  const started = startProgram(['serve', ...args], around)
  const address = await new Promise<string>((resolve, reject) => {
    started.child.stdout.on('data', () => {
      const printed = / at (http:\/\/\S+)\/\n/.exec(started.stdout())?.[1]
      if (printed !== undefined) resolve(printed)
    })
    started.finished.then((end) => reject(new Error(`serve ended: ${JSON.stringify(end)}`)), reject)
  })
  return { ...started, address }
}
