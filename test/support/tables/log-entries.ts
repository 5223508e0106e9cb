import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../src/lake/disk/this-machine.ts'
import { readEntries } from './delta-table.ts'

export const entryPath = (table: string, version: number) =>
  join(table, '_delta_log', `${String(version).padStart(20, '0')}.json`)

/** An entry as another program writes it: without a digest of itself. */
export const foreignEntry = (...lines: readonly (object | string)[]) =>
  [{ commitInfo: { timestamp: 1_738_110_600_000, operation: 'WRITE' } }, ...lines]
    .map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    .join('')

type Actions = readonly Readonly<Record<string, Readonly<Record<string, unknown>>>>[]

/** Writes an entry of this program anew with other actions, under a digest that fits them. */
export function rewriteEntry(path: string, edit: (actions: Actions) => Actions): void {
  const actions = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const text = edit(actions)
    .map((action) => `${JSON.stringify(action)}\n`)
    .join('')
  const zeroed = text.replace(/"digest":"[0-9a-f]{64}"/, `"digest":"${'0'.repeat(64)}"`)
  const digest = createHash('sha256').update(zeroed).digest('hex')
  writeFileSync(path, zeroed.replace('0'.repeat(64), digest))
}

/** Makes a table what builds before data format 2 have written: writer version 2, no properties. */
export function toFormatOne(table: string): void {
  rewriteEntry(entryPath(table, 0), (actions) =>
    actions.map((action) => {
      if (action.protocol) return { protocol: { minReaderVersion: 1, minWriterVersion: 2 } }
      return action.metaData ? { metaData: { ...action.metaData, configuration: {} } } : action
    }),
  )
}

/** Both clocks as the entry of a version names them. */
export function readClocks(table: string, version: number): Clock {
  const { timestamp, boot, sinceBoot } = readEntries(table)[version]?.actions[0]?.commitInfo ?? {}
  return { now: Number(timestamp), boot: String(boot), sinceBoot: Number(sinceBoot) }
}

/** Both clocks a while later. */
export function clockAfter({ now, boot, sinceBoot }: Clock, passedMs: number): Clock {
  return { now: now + passedMs, boot, sinceBoot: sinceBoot + passedMs }
}
