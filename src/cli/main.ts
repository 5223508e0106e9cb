import { errorTable, ServiceError, sentenceOf, systemWordsOf } from '../base/errors.ts'
import { visibleLines } from '../base/visible.ts'
import { runCommand } from './program/program.ts'

/**
 * Exits quietly if a reader such as `head` closes the pipe early. A server continues without readers of its output or
 * log.
 */
function leaveQuietlyOnClosedPipe(isServer: boolean): void {
  if (isServer) process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      process.stderr.write(`ledgerlake: standard output: ${visibleLines(sentenceOf(error))}\n`)
    if (!isServer) process.exit(error.code === 'EPIPE' ? 0 : errorTable.internal.exit)
  })
}

/** Runs one command and sets the exit code of the error table. */
export async function main(argv: readonly string[]): Promise<void> {
  leaveQuietlyOnClosedPipe(argv[0] === 'serve')
  try {
    const exitCode = await runCommand(argv)
    if (exitCode !== undefined) process.exitCode = exitCode
  } catch (error) {
    process.stderr.write(`ledgerlake: ${visibleLines(sentenceOf(error))}\n`)
    if (!(error instanceof ServiceError) && process.env.NODE_DEBUG?.includes('ledgerlake')) {
      process.stderr.write(`${visibleLines(error instanceof Error ? (error.stack ?? '') : '')}\n`)
    }
    process.exitCode = exitOf(error)
  }
}

/** Returns the exit code of an error. An error of the operating system is not an internal error. */
function exitOf(error: unknown): number {
  if (error instanceof ServiceError) return error.exit
  return systemWordsOf(error) === undefined ? errorTable.internal.exit : errorTable.lake_unwritable.exit
}
