import { expect, it, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { runCommand } from '../../src/cli/program/program.ts'
import { cleanUp } from '../support/clean-up.ts'

vi.mock('../../src/cli/program/program.ts', () => ({ runCommand: vi.fn() }))

it.each([
  [
    Object.assign(new Error('EMFILE: open'), { code: 'EMFILE', path: '/a' }),
    'too many files are open: /a',
    4,
  ],
  [Object.assign(new Error('an argument'), { code: 'ERR_INVALID_ARG_TYPE' }), 'an argument', 70],
])(
  'a command ends with 4 for an error of the system, and with 70 for a fault of the program: %s',
  async (error, sentence, exit) => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const before = process.exitCode
    cleanUp(() => {
      process.exitCode = before
    })
    vi.mocked(runCommand).mockRejectedValue(error)
    await main([])
    expect(written.mock.calls).toEqual([[`ledgerlake: ${sentence}\n`]])
    expect(process.exitCode).toBe(exit)
    written.mockRestore()
  },
)
