import { randomUUID } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from '../disk/disk.ts'
import { birthOf, type Clock, formerProcessSpace, processSpace } from '../disk/this-machine.ts'
import { isCount, isObject } from '../log/log-actions.ts'
import { readLogFile } from '../log/log-entry.ts'

/** Whose a folder is, and whether that process has ended: no clock that somebody sets is asked. */

/** A name for what belongs to this process: its machine, its number, its birth, and a part that is unique. */
export function newRunId(): string {
  return `${processSpace()}-${process.pid}-${birthOf(process.pid)}-${randomUUID()}`
}

const NAME = /^([\da-f]{12})-(\d+)-(?:([\da-f]{12})-)?/

/** What this machine can see of the owner; `elsewhere` where that is nothing. Names of older builds have no birth. */
function ownerOf(name: string): 'lives' | 'gone' | 'elsewhere' {
  const [, space, number, birth] = NAME.exec(name) ?? []
  const pid = Number(number)
  if (space !== (birth === undefined ? formerProcessSpace() : processSpace())) return 'elsewhere'
  const found = isThere(pid) ? birthOf(pid) : null
  if (birth === undefined) return found === null || pid === process.pid ? 'gone' : 'elsewhere'
  if (found === undefined) return 'elsewhere'
  return found === birth ? 'lives' : 'gone'
}

/** A process that was killed keeps its number until its parent asks for it, which some parents never do; its birth is another then. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCodeOf(error) === 'EPERM'
  }
}

const SILENT_MS = 7 * 86_400_000
const SEEN = '.seen-'

/** What was seen of a folder: its sign of life, when, and for how long it had been the same. */
interface Seen {
  readonly sign: string
  readonly boot: string
  readonly sinceBoot: number
  readonly now: number
  readonly unchangedMs: number
}

/**
 * Whether the owner of a folder is gone. One that cannot be seen from here is gone when its folder has not changed for a
 * week, of which only the time counts that this machine ran between looks; `isNoted` keeps a look for later ones.
 */
export async function isAbandoned(
  parent: string,
  name: string,
  clock: Clock,
  isNoted: boolean,
): Promise<boolean> {
  if (name.startsWith('.')) return false
  const found = await stat(join(parent, name), { bigint: true }).catch(() => undefined)
  if (found === undefined) return false
  const owner = ownerOf(name)
  if (owner !== 'elsewhere') return owner === 'gone'
  const { boot, sinceBoot, now } = clock
  const sign = `${found.mtimeNs} ${found.ctimeNs}`
  const last = await readSeen(join(parent, SEEN + name))
  // Looks of several machines: neither the time since one of them started nor a clock alone says how long that is.
  const sinceLook = last === undefined ? 0 : now - last.now
  const passed = last?.boot === boot ? sinceBoot - last.sinceBoot : Math.min(sinceBoot, sinceLook)
  const unchangedMs = last?.sign === sign ? last.unchangedMs + Math.max(0, passed) : 0
  const seen: Seen = { sign, boot, sinceBoot, now, unchangedMs }
  // Where it cannot be kept, the folder stays.
  if (isNoted) await writeFile(join(parent, SEEN + name), JSON.stringify(seen)).catch(() => {})
  return unchangedMs >= SILENT_MS
}

async function readSeen(path: string): Promise<Seen | undefined> {
  try {
    const seen: unknown = JSON.parse(String(await readLogFile(path)))
    return isSeen(seen) ? seen : undefined
  } catch {
    return undefined
  }
}

function isSeen(value: unknown): value is Seen {
  if (!isObject(value) || typeof value.sign !== 'string' || typeof value.boot !== 'string') return false
  return isCount(value.sinceBoot) && isCount(value.now) && isCount(value.unchangedMs)
}

/** Removes what was noted of folders that are not among these names any more. */
export async function forgetSeen(parent: string, names: readonly string[]): Promise<void> {
  const there = new Set(names)
  for (const name of names)
    if (name.startsWith(SEEN) && !there.has(name.slice(SEEN.length)))
      await rm(join(parent, name), { force: true }).catch(() => {})
}
