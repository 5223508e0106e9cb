import { readFile, statfs } from 'node:fs/promises'
import { type DoctorCheck, type Machine, problem } from './finding.ts'

/** The machine that this process runs on. */
export async function thisMachine(): Promise<Machine> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const openFiles = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
  return {
    now: Date.now(),
    openFiles: openFiles === undefined || openFiles === 'unlimited' ? undefined : Number(openFiles),
    async room(path) {
      const stats = await statfs(path).catch(() => undefined)
      if (stats === undefined) return undefined
      return { bytes: stats.bavail * stats.bsize, files: stats.files === 0 ? undefined : stats.ffree }
    },
  }
}

const FILES_WANTED = 4096

export const checkOpenFiles: DoctorCheck = async ({ machine: { openFiles } }) => {
  if (openFiles === undefined || openFiles >= FILES_WANTED) return []
  const what = `A process may have ${openFiles} files open; a server needs one for each connection, and one for each data file that is read.`
  const why = 'Under load requests would fail with "too many files are open".'
  const run = `ulimit -n ${FILES_WANTED}, or LimitNOFILE=${FILES_WANTED} in the unit of the service`
  return [problem('open files', what, why, run)]
}

const MINUTE_MS = 60_000
/** No commit is older than the program. */
const EARLIEST = Date.UTC(2025, 0, 1)

export const checkClock: DoctorCheck = async ({ at, machine: { now } }) => {
  const newest = Math.max(0, ...at.tables.map(({ committedAt }) => committedAt))
  const why = 'A vacuum keeps files by the clock, and as_of finds snapshots by it.'
  const run = 'timedatectl status, and set the clock by a time server'
  const is = `The clock of this machine says ${new Date(now).toISOString()}`
  if (now < EARLIEST) return [problem('clock', `${is}, which is before this program was made.`, why, run)]
  if (newest <= now + MINUTE_MS) return []
  const what = `${is}; the newest commit is of ${new Date(newest).toISOString()}, which is later.`
  return [problem('clock', what, why, run)]
}
