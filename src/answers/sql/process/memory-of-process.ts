import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Process memory in MB: resident, and private as `spawnBounded` limits it. */
export interface MemoryOfProcess {
  readonly residentMb: number
  readonly privateMb: number
}

const PAGE_MB = 4096 / 2 ** 20

/** Polling interval; without /proc each poll starts `ps`. */
export const LOOK_EVERY_MS = process.platform === 'linux' ? 25 : 250

/** Reports the memory of a running process, if it can be read. */
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
    // The process has ended, or file descriptors ran out; the system limit still holds.
    return undefined
  }
}
