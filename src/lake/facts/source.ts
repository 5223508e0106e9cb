import { createHash } from 'node:crypto'

/** An artifact whose rows are in a table. Its identity is (kind, name). */
export interface Source {
  readonly kind: string
  readonly name: string
  /** SHA-256 of the artifact's bytes, hex. */
  readonly sha256: string
}

/**
 * A source as one data file carries it: rows, messages that were refused when it was decoded, and counts and sums
 * per group.
 */
export interface SourceInFile extends Source {
  readonly rows: number
  readonly refused: number
  readonly groups: readonly Group[]
  /** Ordinals of refused messages that were ingested since, ascending; left out when there are none. */
  readonly retried?: readonly bigint[]
  /** Present when rows of a later epoch were in before it; builds before 2026-11-22 did not write it down. */
  readonly late?: true
}

/** Rows of one source with the same period and type, and the sum of each amount column. */
export interface Group {
  readonly period: bigint
  readonly type: string
  readonly rows: number
  readonly sums: Readonly<Record<string, bigint>>
}

export function sourceKey(source: { readonly kind: string; readonly name: string }): string {
  return `${source.kind}/${source.name}`
}

/** The same source with the rows of both; what was refused and ingested since adds up as well. */
export function addSource(source: SourceInFile, more: SourceInFile): SourceInFile {
  const groups = [...source.groups]
  for (const group of more.groups) {
    const at = groups.findIndex((own) => isSameGroup(own, group))
    const own = groups[at]
    if (own === undefined) groups.push(group)
    else groups[at] = { ...own, rows: own.rows + group.rows, sums: addSums(own.sums, group.sums) }
  }
  const retried = [...(source.retried ?? []), ...(more.retried ?? [])].sort((a, b) => (a < b ? -1 : 1))
  return {
    ...source,
    rows: source.rows + more.rows,
    refused: source.refused + more.refused,
    groups,
    retried,
  }
}

function isSameGroup(a: Group, b: Group): boolean {
  return a.period === b.period && a.type === b.type
}

function addSums(a: Group['sums'], b: Group['sums']): Group['sums'] {
  const columns = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...columns].map((column) => [column, (a[column] ?? 0n) + (b[column] ?? 0n)]))
}

/** The order of texts in every table. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/**
 * The id of a row: a version 8 UUID of 82 bits of its source's digest and 40 bits of its ordinal,
 * so that equal input gives equal ids and an id leads to its row.
 */
export function rowId(source: Source, ordinal: bigint): string {
  return headOf(source) + ordinal.toString(16).padStart(10, '0')
}

const heads = new WeakMap<Source, string>()

/** What the ids of all rows of a source begin with. */
function headOf(source: Source): string {
  let head = heads.get(source)
  if (head === undefined) {
    const d = digestOf(source)
    const variant = (8 | (Number.parseInt(d.slice(15, 16), 16) & 3)).toString(16)
    head = `${d.slice(0, 8)}-${d.slice(8, 12)}-8${d.slice(12, 15)}-${variant}${d.slice(16, 19)}-${d.slice(19, 21)}`
    heads.set(source, head)
  }
  return head
}

/** The name is part of it, so that equal bytes under two names are two sources with rows of their own. */
function digestOf(source: Source): string {
  return createHash('sha256').update(`${source.kind}\0${source.name}\0${source.sha256}`).digest('hex')
}
