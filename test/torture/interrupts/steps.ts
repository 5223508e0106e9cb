import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSource } from '../../support/messages/oracle-rows.ts'
import type { ExactRow } from '../../support/tables/delta-table.ts'
import { addUp, type SourceSums, sumsOfRow } from './sources.ts'

/** One ingest: its paths and flags, and every source that the lake holds after it. */
export interface Step {
  readonly name: string
  readonly args: readonly string[]
  readonly sources: readonly SourceSums[]
}

/** A row that a file brings. */
export interface TakenRow extends SourceSums {
  /** Table of the rows of its file; `table` is another one for a row that is refused. */
  readonly kind: string
  /** In a table of states the last row of a key counts. */
  readonly key?: unknown
}

/** How each part of an input is written, by its name. */
type Parts = Readonly<Record<string, (folder: string) => Promise<readonly TakenRow[]>>>

/** Writes parts of an input into folders of their own; each makes one ingest, on top of those before. */
export async function makeSteps(folder: string, parts: Parts): Promise<readonly Step[]> {
  const steps: Step[] = []
  const folders: string[] = []
  let held: readonly TakenRow[] = []
  for (const [name, write] of Object.entries(parts)) {
    const own = join(folder, name.replaceAll(' ', '-'))
    mkdirSync(own, { recursive: true })
    const rows = await write(own)
    const files = new Set(rows.map(fileOf))
    const others = held.filter((row) => !files.has(fileOf(row)))
    const args = others.length < held.length ? [own, '--replace'] : [...folders, own]
    folders.push(own)
    held = [...others, ...rows]
    steps.push({ name, args, sources: addUp(newest(held)) })
  }
  return steps
}

const fileOf = ({ kind, name }: TakenRow) => `${kind} ${name}`

function newest(rows: readonly TakenRow[]): Iterable<TakenRow> {
  return new Map(rows.map((row) => [row.key === undefined ? row : `${row.table} ${row.key}`, row])).values()
}

export function takenRow(
  kind: string,
  row: ExactRow,
  more: { table?: string; key?: unknown } = {},
): TakenRow {
  return { ...sumsOfRow(more.table ?? kind, row), kind, ...(more.key !== undefined && { key: more.key }) }
}

/** The rows of an oracle file, none of which is refused. */
export function rowsOfFile(path: string): readonly TakenRow[] {
  const { table, rows } = readSource(path)
  return rows.map((row) => takenRow(table, row))
}
