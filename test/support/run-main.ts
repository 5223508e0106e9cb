import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Finished } from './run-program.ts'

/**
 * Runs a command in this process, in a fraction of the time that the program takes to start. Only for command lines that lead to
 * no work: a command that works lowers the priority of its process, for good.
 */
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
