import { digestOf } from '../disk/disk.ts'

/** An artifact with rows in a table. Its identity is (kind, name). */
export interface Source {
  readonly kind: string
  readonly name: string
  /** SHA-256 of the artifact's bytes, hex. */
  readonly sha256: string
}

/** The part of a source in one data file: rows, refused messages, and counts and sums per group. */
export interface SourceInFile extends Source {
  readonly rows: number
  readonly refused: number
  readonly groups: readonly Group[]
  /** Ordinals of refused messages that were ingested later, ascending; absent when there are none. */
  readonly retried?: readonly bigint[]
  /** True when rows of a later epoch were ingested before it; not recorded before 2026-11-22. */
  readonly late?: true
}

/** Row count and sums of the amount columns for one source, period and type. */
export interface Group {
  readonly period: bigint
  readonly type: string
  readonly rows: number
  readonly sums: Readonly<Record<string, bigint>>
}

export function sourceKey(source: { readonly kind: string; readonly name: string }): string {
  return `${source.kind}/${source.name}`
}

/** Adds up two parts of the same source. */
export function addSource(source: SourceInFile, more: SourceInFile): SourceInFile {
  const groups = [...source.groups]
  for (const group of more.groups) {
    const index = groups.findIndex(({ period, type }) => period === group.period && type === group.type)
    const match = groups[index]
    if (match === undefined) groups.push(group)
    else groups[index] = { ...match, rows: match.rows + group.rows, sums: addSums(match.sums, group.sums) }
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

/** Returns each source once, with its rows summed over all files. */
export function gatherSources(
  files: readonly { readonly sources: readonly SourceInFile[] }[],
): readonly SourceInFile[] {
  const sources = new Map<string, SourceInFile>()
  for (const source of files.flatMap((file) => file.sources)) {
    const earlier = sources.get(sourceKey(source))
    sources.set(sourceKey(source), earlier === undefined ? source : addSource(earlier, source))
  }
  return [...sources.values()]
}

function addSums(a: Group['sums'], b: Group['sums']): Group['sums'] {
  const columns = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...columns].map((column) => [column, (a[column] ?? 0n) + (b[column] ?? 0n)]))
}

/** Compares texts by their UTF-8 bytes, the order of every table. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/**
 * Returns the id of a row: a version 8 UUID of 82 bits of its source's digest and 40 bits of its ordinal. Equal input
 * gives equal ids, and an id leads to its row.
 */
export function rowId(source: Source, ordinal: bigint): string {
  return headOf(source) + ordinal.toString(16).padStart(10, '0')
}

const heads = new WeakMap<Source, string>()

/** Returns the common prefix of the row ids of a source. */
function headOf(source: Source): string {
  let head = heads.get(source)
  if (head === undefined) {
    // With the name, equal bytes under two names are two sources.
    const d = digestOf(`${source.kind}\0${source.name}\0${source.sha256}`)
    const variant = (8 | (Number.parseInt(d.slice(15, 16), 16) & 3)).toString(16)
    head = `${d.slice(0, 8)}-${d.slice(8, 12)}-8${d.slice(12, 15)}-${variant}${d.slice(16, 19)}-${d.slice(19, 21)}`
    heads.set(source, head)
  }
  return head
}
