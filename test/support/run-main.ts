import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Finished } from './run-program.ts'

/** Runs a command in this process: a fraction of what starting the program takes, for words that lead to no work. */
export async function runMain(args: readonly string[]): Promise<Finished> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    }),
  )
  const before = process.exitCode
  process.exitCode = undefined
  try {
    await main(args)
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    process.exitCode = before
    for (const spy of spies) spy.mockRestore()
    process.stdout.removeAllListeners('error')
  }
}
