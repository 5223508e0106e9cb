import { existsSync, readFileSync } from 'node:fs'
import type { Injection, Operation } from './faults.ts'

/** What one fault at one operation came to. */
export interface Tried extends Injection {
  readonly scenario: string
  /** Whether the run came so far. */
  readonly isHit: boolean
  readonly operation?: Operation
  /** Exit code, when the process did not end with the fault. */
  readonly code?: number
  readonly seconds: number
  /** What does not hold that must. */
  readonly fault?: string
}

/** What a file has lines of; nothing when there is no file. */
export function readTried(file: string): readonly Tried[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Tried)
}
