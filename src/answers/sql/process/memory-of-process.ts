import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Memory of a process in MB: resident, and private as the limit of `spawnBounded` counts it. */
export interface MemoryOfProcess {
  readonly residentMb: number
  readonly privateMb: number
}

const PAGE_MB = 4096 / 2 ** 20

/** How often to look, since `ps` has to be started where there is no /proc. */
export const LOOK_EVERY_MS = process.platform === 'linux' ? 25 : 250

/** Tells the memory of a process that runs; nothing is told where it cannot be read. */
export function lookAtMemory(pid: number, report: (memory: MemoryOfProcess) => void): void {
  if (process.platform === 'linux') {
    const memory = readProc(pid)
    if (memory !== undefined) report(memory)
    return
  }
  execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, text) => {
    const residentMb = Number(text) / 1024
    if (error === null && residentMb > 0) report({ residentMb, privateMb: residentMb })
  })
}

function readProc(pid: number): MemoryOfProcess | undefined {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
    return { residentMb: (pages[1] ?? 0) * PAGE_MB, privateMb: (pages[5] ?? 0) * PAGE_MB }
  } catch {
    // It has ended, or this process has too many files open; the limit of the system holds meanwhile.
    return undefined
  }
}
