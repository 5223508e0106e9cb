import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { logEntryPath, versionOfFile } from '../../src/lake/disk/layout.ts'
import { writeOracleFiles } from '../../test/support/lakes/make-lake.ts'
import { type Files, filesOfDay } from './growth.ts'

/** Runs the program to its end, at a lower priority. Errors: Error with what it said. */
export type Run = (args: readonly string[]) => Promise<void>

/** What is done to the lake while it is served, one thing after another, by nobody else. */
export interface Chores {
  /** Ingests the next day; now and then compacts, and vacuums what only older snapshots use. */
  next(): Promise<void>
  /** The files of the snapshot that a reply names; waits while what makes them is under way. */
  filesOf(snapshot: string): Promise<Files>
  /** Whether the files of a snapshot may be gone. */
  isVacuumed(snapshot: string): boolean
  done(): Readonly<Record<'ingests' | 'compactions' | 'vacuums', number>>
}

const INGESTS_PER_COMPACTION = 8
const COMPACTIONS_PER_VACUUM = 2

const tables = {
  iot: 'iot_reward_shares',
  mobile: 'mobile_reward_shares',
  manifests: 'reward_manifests',
} as const
type Table = keyof typeof tables
const names = Object.keys(tables) as readonly Table[]
/** Letters that stand for the tables in the id of a snapshot. */
const letters = { iot: 'ooc', mobile: 'idp', manifests: 'dma' } as const satisfies Record<Table, string>

/** The lake holds nothing of the growing network yet. */
export function openChores(lake: string, home: string, run: Run): Chores {
  const done = { ingests: 0, compactions: 0, vacuums: 0 }
  /** Files by version of each table. */
  const known = { iot: [] as number[], mobile: [] as number[], manifests: [] as number[] }
  /** The versions that the last vacuum kept. */
  const kept = { iot: 0, mobile: 0, manifests: 0 }
  let underWay: Promise<void> = Promise.resolve()
  for (const table of names) note(table, 0)

  /** All versions since the last look have so many files. Errors: Error when an ingest made more than one. */
  function note(table: Table, files: number): void {
    const folder = join(lake, tables[table], '_delta_log')
    const versions = readdirSync(folder).map((name) => versionOfFile(name, 'entry') ?? 0)
    const last = Math.max(...versions)
    const before = known[table].length
    if (before > 0 && files > (known[table].at(-1) ?? 0) && last !== before)
      throw new Error(
        `${logEntryPath(tables[table], last)}: an ingest of one file made ${last - before + 1} versions`,
      )
    for (let version = before; version <= last; version += 1) known[table].push(files)
  }

  async function ingest(): Promise<void> {
    const folder = join(home, 'next-day')
    await writeOracleFiles(folder, filesOfDay(done.ingests))
    await run(['ingest', folder, '--lake', lake])
    rmSync(folder, { recursive: true })
    done.ingests += 1
    for (const table of names) note(table, done.ingests)
  }

  async function tidy(): Promise<void> {
    if (done.ingests % INGESTS_PER_COMPACTION !== 0) return
    await run(['compact', '--lake', lake])
    done.compactions += 1
    for (const table of names) note(table, done.ingests)
    if (done.compactions % COMPACTIONS_PER_VACUUM !== 0) return
    for (const table of names) kept[table] = known[table].length - 1
    await run(['vacuum', '--keep-hours', '0', '--lake', lake])
    done.vacuums += 1
  }

  const versionIn = (snapshot: string, table: Table) =>
    Number(new RegExp(`${letters[table]}(\\d+)`).exec(snapshot)?.[1])

  function at(snapshot: string): Files | undefined {
    const counts = names.map((table) => [table, known[table][versionIn(snapshot, table)]] as const)
    if (counts.some(([, count]) => count === undefined)) return undefined
    return Object.fromEntries(counts) as unknown as Files
  }

  return {
    next() {
      underWay = ingest().then(tidy)
      return underWay
    },
    async filesOf(snapshot) {
      const files = at(snapshot)
      if (files !== undefined) return files
      await underWay
      const later = at(snapshot)
      if (later === undefined) throw new Error(`nobody made the snapshot ${snapshot}`)
      return later
    },
    isVacuumed: (snapshot) => names.some((table) => versionIn(snapshot, table) < kept[table]),
    done: () => ({ ...done }),
  }
}
