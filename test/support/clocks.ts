import type { Clock } from '../../src/lake/disk/this-machine.ts'
import { readEntries } from './delta-table.ts'

/** Both clocks as the entry of a version names them. */
export function readClocks(table: string, version: number): Clock {
  const { timestamp, boot, sinceBoot } = readEntries(table)[version]?.actions[0]?.commitInfo ?? {}
  return { now: Number(timestamp), boot: String(boot), sinceBoot: Number(sinceBoot) }
}

/** Both clocks a while later. */
export function clockAfter({ now, boot, sinceBoot }: Clock, passedMs: number): Clock {
  return { now: now + passedMs, boot, sinceBoot: sinceBoot + passedMs }
}
