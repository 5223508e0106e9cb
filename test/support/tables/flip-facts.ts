import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { some } from '../some.ts'

/** Flips a bit of each file of facts of a table. */
export function flipFacts(lake: string, table: string): void {
  const folder = join(lake, table, '_facts')
  for (const name of some(readdirSync(folder))) flipBit(join(folder, name))
}

/** Flips a bit in the middle of a file. */
export function flipBit(path: string): void {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4
  writeFileSync(path, bytes)
}
