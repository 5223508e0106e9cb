import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Finished } from './run-program.ts'

/**
 * Runs a command in this process, in a fraction of the time that the program takes to start. Not for `serve`, unless it is
 * refused: it would go on.
 */
export async function runMain(args: readonly string[], { cwd = process.cwd() } = {}): Promise<Finished> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text, ...rest) => {
      written[name] += String(text)
      const whenWritten = rest.at(-1)
      if (typeof whenWritten === 'function') whenWritten()
      return true
    }),
  )
  // Commands that work give way to others, which a process cannot take back.
  const lowerPriority = vi.spyOn(os, 'setPriority').mockReturnValue(undefined)
  syncBuiltinESMExports()
  const before = { exitCode: process.exitCode, cwd: process.cwd() }
  const { LEDGERLAKE_WORKERS: workers } = process.env
  process.exitCode = undefined
  process.chdir(cwd)
  // Workers would be started as copies of the process that runs the tests.
  process.env.LEDGERLAKE_WORKERS = '1'
  try {
    await main(args)
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    process.chdir(before.cwd)
    process.exitCode = before.exitCode
    if (workers === undefined) delete process.env.LEDGERLAKE_WORKERS
    else process.env.LEDGERLAKE_WORKERS = workers
    for (const spy of [...spies, lowerPriority]) spy.mockRestore()
    syncBuiltinESMExports()
    for (const name of ['stdout', 'stderr'] as const) process[name].removeAllListeners('error')
  }
}
