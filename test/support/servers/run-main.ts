import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { main } from '../../../src/cli/main.ts'
import type { Finished } from './run-program.ts'

/** What a command printed, and its exit code. */
export interface Ended extends Finished {
  readonly code: number
}

const LONGEST_MS = 600_000

/**
 * Runs a command in this process, in a fraction of the time that the program takes to start; one that does not end within ten
 * minutes is an error. Not for `serve`, unless it is refused: it would go on.
 */
export async function runMain(args: readonly string[], { cwd = process.cwd() } = {}): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const writes = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name]
    const { write } = stream
    stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
      written[name] += String(text)
      const whenWritten = rest.at(-1)
      if (typeof whenWritten === 'function') setImmediate(() => whenWritten())
      return true
    }
    return () => {
      stream.write = write
      stream.removeAllListeners('error')
    }
  })
  const { setPriority } = os
  // Commands that work give way to others, which a process cannot take back.
  os.setPriority = () => {}
  syncBuiltinESMExports()
  const before = { exitCode: process.exitCode, cwd: process.cwd() }
  const { LEDGERLAKE_WORKERS: workers } = process.env
  process.exitCode = undefined
  process.chdir(cwd)
  // Workers would be started as copies of the process that runs the tests.
  process.env.LEDGERLAKE_WORKERS = '1'
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${args.join(' ')} does not end`)), LONGEST_MS)
  })
  try {
    await Promise.race([main(args), late])
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    clearTimeout(timer)
    process.chdir(before.cwd)
    process.exitCode = before.exitCode
    if (workers === undefined) delete process.env.LEDGERLAKE_WORKERS
    else process.env.LEDGERLAKE_WORKERS = workers
    os.setPriority = setPriority
    for (const restore of writes) restore()
    syncBuiltinESMExports()
  }
}

/** Runs a command that must succeed; returns its standard output. */
export async function must(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runMain(args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr || stdout}`)
  return stdout
}
