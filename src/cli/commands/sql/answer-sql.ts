import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { answerStatements } from '../../../answers/sql/process/answer-statements.ts'
import { parentPort } from '../../../base/processes/channel.ts'
import { sqlSessions } from '../../../services/sql-session.ts'
import { lowerPriority } from '../../lower-priority.ts'

export function addAnswerSqlCommand(program: Command): void {
  program.command('answer-sql', { hidden: true }).description('Part of sql, mcp and serve.').action(answerSql)
}

/** Runs statements for the parent process, until the parent closes the pipe or ends. */
function answerSql(): void {
  offerToSystem()
  lowerPriority()
  // The parent stops statements; a terminal sends signals to this process too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  // A statement that cannot be interrupted would delay an orderly exit.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  answerStatements(parentPort, sqlSessions())
}

/** Makes the system end this process first if memory runs out, instead of the server. */
function offerToSystem(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // The file exists on Linux only.
  }
}
