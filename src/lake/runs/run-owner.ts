import { randomUUID } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { count, parseJsonAs, z } from '../../base/zod.ts'
import { errorCodeOf } from '../disk/disk.ts'
import { birthOf, type Clock, formerProcessSpace, processSpace } from '../disk/this-machine.ts'
import { readLogFile } from '../log/log-entry.ts'

/** Makes a unique name with machine, pid and start time of this process. */
export function newRunId(): string {
  return `${processSpace()}-${process.pid}-${birthOf(process.pid)}-${randomUUID()}`
}

const NAME = /^([\da-f]{12})-(\d+)-(?:([\da-f]{12})-)?/

/** Checks whether the owner lives; `elsewhere` if unknown on this machine. Names of older builds have no birth. */
function stateOfOwner(name: string): 'lives' | 'gone' | 'elsewhere' {
  const [, space, number, birth] = NAME.exec(name) ?? []
  const pid = Number(number)
  if (space !== (birth === undefined ? formerProcessSpace() : processSpace())) return 'elsewhere'
  const actual = isRunning(pid) ? birthOf(pid) : null
  if (birth === undefined) return actual === null || pid === process.pid ? 'gone' : 'elsewhere'
  if (actual === undefined) return 'elsewhere'
  return actual === birth ? 'lives' : 'gone'
}

/** Also true for a zombie, whose birth differs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCodeOf(error) === 'EPERM'
  }
}

const SILENT_MS = 7 * 86_400_000
const SEEN = '.seen-'

/** An observation of a folder: its sign of life, the clocks, and how long the sign had been the same. */
const observation = z.object({
  sign: z.string(),
  boot: z.string(),
  sinceBoot: count,
  now: count,
  unchangedMs: count,
})
type Observation = z.infer<typeof observation>

/**
 * Checks whether the owner of a folder is gone. A remote owner is gone when its folder has not changed for a week of this
 * machine's running time, so a changed clock has no effect; `isNoted` stores the observation for later calls.
 */
export async function isAbandoned(
  parent: string,
  name: string,
  clock: Clock,
  isNoted: boolean,
): Promise<boolean> {
  if (name.startsWith('.')) return false
  const stats = await stat(join(parent, name), { bigint: true }).catch(() => undefined)
  if (stats === undefined) return false
  const owner = stateOfOwner(name)
  if (owner !== 'elsewhere') return owner === 'gone'
  const { boot, sinceBoot, now } = clock
  const sign = `${stats.mtimeNs} ${stats.ctimeNs}`
  const last = await readObservation(join(parent, SEEN + name))
  // After another boot or on another machine, neither uptime nor clock alone is reliable.
  const sinceLast = last === undefined ? 0 : now - last.now
  const passed = last?.boot === boot ? sinceBoot - last.sinceBoot : Math.min(sinceBoot, sinceLast)
  const unchangedMs = last?.sign === sign ? last.unchangedMs + Math.max(0, passed) : 0
  const seen: Observation = { sign, boot, sinceBoot, now, unchangedMs }
  // If it cannot be stored, the folder stays.
  if (isNoted) await writeFile(join(parent, SEEN + name), JSON.stringify(seen)).catch(() => {})
  return unchangedMs >= SILENT_MS
}

async function readObservation(path: string): Promise<Observation | undefined> {
  return parseJsonAs(observation, String(await readLogFile(path).catch(() => undefined)))
}

/** Removes the observations of folders that are not among these names. */
export async function forgetSeen(parent: string, names: readonly string[]): Promise<void> {
  const present = new Set(names)
  for (const name of names)
    if (name.startsWith(SEEN) && !present.has(name.slice(SEEN.length)))
      await rm(join(parent, name), { force: true }).catch(() => {})
}
