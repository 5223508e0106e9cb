import { createHash } from 'node:crypto'

/** An artifact whose rows are in a table. Its identity is (kind, name). */
export interface Source {
  readonly kind: string
  readonly name: string
  /** SHA-256 of the artifact's bytes, hex. */
  readonly sha256: string
}

/** A source as one data file carries it: rows, refused rows, and counts and sums per group. */
export interface SourceInFile extends Source {
  readonly rows: number
  readonly refused: number
  readonly groups: readonly Group[]
}

/** Rows of one source with the same end_period and reward_type, and the sum of each amount column. */
export interface Group {
  readonly end_period: bigint
  readonly reward_type: string
  readonly rows: number
  readonly sums: Readonly<Record<string, bigint>>
}

export function sourceKey(source: { readonly kind: string; readonly name: string }): string {
  return `${source.kind}/${source.name}`
}

/**
 * The id of a row: a version 8 UUID of 82 bits of its source's digest and 40 bits of its ordinal,
 * so that equal input gives equal ids and an id leads to its row.
 */
export function rowId(source: Source, ordinal: bigint): string {
  const position = ordinal.toString(16).padStart(10, '0')
  const variant = (8 | (Number.parseInt(digestOf(source)[15] ?? '0', 16) & 3)).toString(16)
  const d = digestOf(source)
  return `${d.slice(0, 8)}-${d.slice(8, 12)}-8${d.slice(12, 15)}-${variant}${d.slice(16, 19)}-${d.slice(19, 21)}${position}`
}

const digests = new WeakMap<Source, string>()

/** The name is part of it, so that equal bytes under two names are two sources with rows of their own. */
function digestOf(source: Source): string {
  let digest = digests.get(source)
  if (digest === undefined) {
    digest = createHash('sha256').update(`${source.kind}\0${source.name}\0${source.sha256}`).digest('hex')
    digests.set(source, digest)
  }
  return digest
}
