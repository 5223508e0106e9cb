import { execFileSync, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Asked, Order, Report, Turn } from './load-process.ts'

/** Our own load generator, as a process that stays. */
export interface Load {
  /** Whether it is kept to the last core, by taskset. */
  readonly isPinned: boolean
  /** Hands over what to ask under a name. */
  prepare(name: string, address: string, asked: readonly Asked[]): Promise<void>
  /** The same questions and answers as those of another name, for another server, which has them below `prefix`. */
  prepareLike(name: string, address: string, like: string, prefix?: string): Promise<void>
  /** Forgets what was handed over: the more this process holds, the longer it takes to collect memory while servers are timed. */
  forget(): Promise<void>
  /** Asks for so long, each time with the next questions. Throws at the first answer that is not the right one. */
  run(name: string, connections: number, ms: number): Promise<Turn>
  /** Whether it has asked under that name before. */
  hasRun(name: string): boolean
  stop(): void
}

export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), {
    serialization: 'advanced',
  })
  const kill = () => child.kill()
  process.once('exit', kill)
  const asked = new Map<string, number>()

  function send(order: Order): Promise<Report> {
    return new Promise((resolve, reject) => {
      child.once('exit', reject)
      child.once('message', (report: Report) => {
        child.off('exit', reject)
        if ('error' in report) reject(new Error(report.error))
        else resolve(report)
      })
      child.send(order)
    })
  }

  return {
    isPinned: pinned(child.pid),
    async prepare(name, address, questions) {
      await send({ prepare: name, address, asked: questions })
    },
    async prepareLike(name, address, like, prefix = '') {
      await send({ prepare: name, address, like, prefix })
    },
    async forget() {
      await send({ forget: true })
    },
    async run(name, connections, ms) {
      const first = asked.get(name) ?? 0
      const report = await send({ run: name, connections, ms, first })
      if (!('turn' in report)) throw new Error(`${name} gave no turn`)
      asked.set(name, first + report.turn.micros.length)
      return report.turn
    },
    hasRun: (name) => asked.has(name),
    stop() {
      process.off('exit', kill)
      child.kill()
    },
  }
}

function pinned(pid: number | undefined): boolean {
  const last = availableParallelism() - 1
  if (last === 0) return false
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(last), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
