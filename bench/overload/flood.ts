import { execFileSync, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Answers, Flood } from './flood-process.ts'

/** The generator of floods, as a process that stays. */
export interface FloodGenerator {
  run(flood: Flood): Promise<Answers>
  stop(): void
}

const cores = availableParallelism()

/** It has the last core for itself, where there are several and taskset is there. */
export function startFloods(): FloodGenerator {
  const child = fork(fileURLToPath(new URL('flood-process.ts', import.meta.url)))
  const kill = () => child.kill()
  process.once('exit', kill)
  if (cores > 1) keepTo(String(cores - 1), child.pid)
  return {
    run: (flood) =>
      new Promise((resolve, reject) => {
        child.once('exit', reject)
        child.once('message', (answers: Answers) => {
          child.off('exit', reject)
          resolve(answers)
        })
        child.send(flood)
      }),
    stop() {
      process.off('exit', kill)
      child.kill()
    },
  }
}

/** Leaves the last core to the generator. */
export function keepOffLastCore(pid: number): void {
  if (cores > 1) keepTo(`0-${cores - 2}`, pid)
}

function keepTo(list: string, pid: number | undefined): void {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', list, String(pid)], { stdio: 'ignore' })
  } catch {
    console.log(`Without taskset process ${pid} runs on all cores.`)
  }
}
