import { readFileSync } from 'node:fs'
import { isMissing } from '../lake/disk/disk.ts'
import { checksumOf } from './line-checksum.ts'

/** Requests counted since `since`, milliseconds since 1970. */
export interface KeyUsage {
  readonly since: number
  readonly used: number
}

export const QUOTA_WINDOW_MS = 30 * 86_400_000

/** Returns the usage of the current window. A window starts with the first request after the previous window. */
export function usageAt(usage: KeyUsage | undefined, at: number): KeyUsage {
  const isOver = usage === undefined || usage.used === 0 || at >= usage.since + QUOTA_WINDOW_MS
  return isOver ? { since: at, used: 0 } : usage
}

/** Returns the path of the file in which older builds counted. */
export function usageFileOf(keyFile: string): string {
  return `${keyFile.replace(/\.ndjson$/, '')}.usage`
}

const LINE_BYTES = 64
/** Id, since, used and a checksum, which the oldest builds did not write. */
const LINE = /^(([\da-f]{12}) (\S{24}) (\d{20}))(?: ([\w-]{4})| {5})\n$/

/**
 * Parses the usage file of an older build. Returns the usage by key, and the numbers of damaged lines, from 1. The last
 * line may be incomplete.
 */
export function parseUsage(text: string) {
  const used = new Map<string, KeyUsage>()
  const damaged: number[] = []
  for (let at = 0; at + LINE_BYTES <= text.length; at += LINE_BYTES) {
    const [, counted = '', id = '', since = '', number, checksum = checksumOf(counted)] =
      LINE.exec(text.slice(at, at + LINE_BYTES)) ?? []
    if (counted === '' || checksum !== checksumOf(counted)) damaged.push(at / LINE_BYTES + 1)
    // Two processes may have added a line for one id; the first one counts.
    else if (!used.has(id)) used.set(id, { since: Date.parse(since), used: Number(number) })
  }
  return { used, damaged }
}

/** Reads usage by key from the file of an older build. Reports damaged lines. Errors: those of the file system. */
export function readUsage(keyFile: string, onError: (error: unknown) => void): ReadonlyMap<string, KeyUsage> {
  const path = usageFileOf(keyFile)
  let text = ''
  try {
    text = readFileSync(path, 'latin1')
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  const { used, damaged } = parseUsage(text)
  for (const line of damaged)
    onError(
      new Error(`Line ${line} of ${path} is not as it was written; what its key has used is counted anew.`),
    )
  return used
}
