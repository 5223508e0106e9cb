import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Brings back files that the log has removed, in every table where it has removed any: cuts the actions out of its newest entry, and
 * deletes the checkpoints, which know better. Gives the names of the tables.
 */
export function bringBackRemoved(lake: string, tables: readonly string[]): readonly string[] {
  return tables.filter((table) => {
    const log = join(lake, table, '_delta_log')
    const entries = readdirSync(log)
      .filter((name) => /^\d{20}\.json$/.test(name))
      .sort()
    const newest = join(log, entries.at(-1) ?? '')
    const lines = readFileSync(newest, 'utf8').split('\n')
    const kept = lines.filter((line) => !line.startsWith('{"remove"'))
    if (kept.length === lines.length) return false
    writeFileSync(newest, kept.join('\n'))
    for (const name of readdirSync(log))
      if (name.includes('checkpoint') || name.startsWith('_snapshot')) rmSync(join(log, name))
    return true
  })
}
