import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { answerStatements } from '../../../answers/sql/process/answer-statements.ts'
import type { Port } from '../../../operate/workers/channel.ts'
import { sqlSessions } from '../../../services/sql-session.ts'

export function addAnswerSqlCommand(program: Command): void {
  program.command('answer-sql', { hidden: true }).description('Part of sql, mcp and serve.').action(answerSql)
}

/** Runs statements for the process that started this one, until that process closes the pipe or ends. */
function answerSql(): void {
  offerToSystem()
  // The parent stops statements; a terminal sends signals to this process too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  // A statement that cannot be interrupted would hold an orderly end up.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  answerStatements(process as unknown as Port, sqlSessions())
}

/** Where memory runs out, the system shall end this process rather than the one that serves. */
function offerToSystem(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it.
  }
}
