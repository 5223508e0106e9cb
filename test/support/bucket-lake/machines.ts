import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../../../src/write/sample/random.ts'
import { runUntil } from '../../torture/interrupts/run-until.ts'
import { runProgram, type Serving, startServing } from '../servers/run-program.ts'

/** Machines that work on one lake in a bucket, each by a copy in a folder of its own. */
export interface Machines {
  /** Runs a command, which must succeed, and gives its output. */
  run(copy: string, words: readonly string[]): Promise<string>
  /** Kills a command at some moment, often while it commits; gives whether it was still running. */
  kill(copy: string, words: readonly string[]): Promise<boolean>
  serve(copy: string, words: readonly string[]): Promise<Serving>
}

export function machinesOf(
  lake: string,
  around: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  random: Random,
): Machines {
  const flagsOf = (copy: string) => ['--lake', lake, '--lake-copy', join(around.cwd, copy)]
  return {
    async run(copy, words) {
      const { code, stdout, stderr } = await runProgram([...words, ...flagsOf(copy)], around)
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`)
      return stdout
    },
    async kill(copy, words) {
      const moment = () => setTimeout(700 + random.below(2500))
      return (await runUntil([...words, ...flagsOf(copy)], around, moment)).code === null
    },
    serve: (copy, words) => startServing([...words, ...flagsOf(copy), '--port', '0'], around),
  }
}
