import type { ChildProcess } from 'node:child_process'
import { type Finished, type Surroundings, startProgram } from '../../support/servers/run-program.ts'

/** Resolves when a program is to be killed. */
export type Moment = (child: ChildProcess) => Promise<unknown>

/** Runs the built program until a moment; its exit code is null when the kill came before its end. */
export async function runUntil(
  args: readonly string[],
  around: Surroundings,
  moment: Moment,
): Promise<Finished> {
  const { child, finished } = startProgram(args, around)
  await Promise.race([moment(child), finished])
  child.kill('SIGKILL')
  return await finished
}
