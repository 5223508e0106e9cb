import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** A server of other people that runs; it ends with this process. */
export interface Brought {
  readonly pid: number
  isAlive(): boolean
  /** Asks until the server is ready. Errors: Error with the end of its log when it ends, or is not ready in time. */
  ready(isReady: () => Promise<boolean>, longestMs: number): Promise<void>
  stop(): Promise<void>
}

interface Surroundings {
  /** Gets standard output and standard error. */
  readonly log: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

export async function startBrought(
  [program = '', ...args]: readonly string[],
  { log, cwd, env }: Surroundings,
): Promise<Brought> {
  const file = await open(log, 'w')
  const child = spawn(program, args, {
    ...{ cwd, env: { ...process.env, ...env }, stdio: ['ignore', file.fd, file.fd] },
  })
  await once(child, 'spawn')
  await file.close()
  const kill = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', kill)
  const ended = once(child, 'exit').then(() => process.off('exit', kill))
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return {
    pid: child.pid as number,
    isAlive,
    async ready(isReady, longestMs) {
      const until = performance.now() + longestMs
      while (!(await isReady().catch(() => false))) {
        if (!isAlive() || performance.now() > until)
          throw new Error(`${program} is not ready:\n${(await readFile(log, 'utf8')).slice(-3000)}`)
        await setTimeout(100)
      }
    },
    async stop() {
      child.kill('SIGTERM')
      await Promise.race([ended, setTimeout(15_000, undefined, { ref: false })])
      kill()
      await ended
    },
  }
}
