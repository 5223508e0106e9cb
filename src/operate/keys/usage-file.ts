import { readFileSync } from 'node:fs'
import { isMissing } from '../../lake/disk/disk.ts'
import { checksumOf } from './line-checksum.ts'

/** Requests counted since `since`, milliseconds since 1970. */
export interface KeyUsage {
  readonly since: number
  readonly used: number
}

export const QUOTA_WINDOW_MS = 30 * 86_400_000

/** The usage of the window that an instant lies in; a window begins with the first request after the last one. */
export function usageAt(usage: KeyUsage | undefined, at: number): KeyUsage {
  const isOver = usage === undefined || usage.used === 0 || at >= usage.since + QUOTA_WINDOW_MS
  return isOver ? { since: at, used: 0 } : usage
}

/** Older builds counted in a file beside the keys. */
export function usageFileOf(keyFile: string): string {
  return `${keyFile.replace(/\.ndjson$/, '')}.usage`
}

const LINE_BYTES = 64
/** Id, since, used, and a checksum of them, which the oldest builds did not write. */
const LINE = /^(([\da-f]{12}) (\S{24}) (\d{20}))(?: ([\w-]{4})| {5})\n$/

/** Reads what keys used by the file of an older build, and the numbers of its damaged lines, from 1. The last line may be unfinished. */
export function parseUsage(text: string) {
  const used = new Map<string, KeyUsage>()
  const damaged: number[] = []
  for (let at = 0; at + LINE_BYTES <= text.length; at += LINE_BYTES) {
    const [, counted = '', id = '', since = '', number, checksum = checksumOf(counted)] =
      LINE.exec(text.slice(at, at + LINE_BYTES)) ?? []
    if (counted === '' || checksum !== checksumOf(counted)) damaged.push(at / LINE_BYTES + 1)
    // The first line of an id counts, should two processes have begun one.
    else if (!used.has(id)) used.set(id, { since: Date.parse(since), used: Number(number) })
  }
  return { used, damaged }
}

/** What keys used by the file of an older build. Damaged lines are reported. Errors: those of the file system. */
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
