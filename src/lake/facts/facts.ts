import { readInstant, writeInstant } from '../../base/values/instant.ts'
import type { GroupColumns, Resource } from '../../catalog/resource.ts'
import { type Chunk, readChunks, type WrittenChunk, writeChunks } from './chunk.ts'
import { readOrdinals, writeOrdinals } from './ordinals.ts'
import type { Group, SourceInFile } from './source.ts'
import { checkCount, refuseTag } from './tag-fault.ts'

/** Counts, sums and bounds of the rows of a data file. Totals and page positions follow from them without opening it. */
export interface Facts {
  readonly sources: readonly SourceInFile[]
  /** Empty for a resource without `access`. */
  readonly chunks: readonly Chunk[]
}

type WrittenGroup = readonly [period: string, type: string, rows: number, sums: Record<string, string>]
/** A source as JSON, with every sum as text. */
export type WrittenSource = Omit<SourceInFile, 'groups' | 'retried'> & {
  readonly groups: readonly WrittenGroup[]
  readonly retried?: string
}

/** Facts as JSON, with every sum and bound as text. */
export interface WrittenFacts {
  readonly sources: readonly WrittenSource[]
  readonly chunks: readonly WrittenChunk[]
}

export function writeFacts({ sources, chunks }: Facts): WrittenFacts {
  return { sources: sources.map(writeSource), chunks: writeChunks(chunks) }
}

export function writeSource({ groups, retried = [], ...source }: SourceInFile): WrittenSource {
  return {
    ...source,
    ...(retried.length > 0 && { retried: writeOrdinals(retried) }),
    groups: groups.map((group) => [
      writeInstant(group.period),
      group.type,
      group.rows,
      Object.fromEntries(Object.entries(group.sums).map(([column, sum]) => [column, sum.toString()])),
    ]),
  }
}

/** Errors: TagFault, SyntaxError or TypeError for invalid content. */
export function readFacts(resource: Resource, { sources, chunks }: WrittenFacts): Facts {
  if (!Array.isArray(sources)) refuseTag('sources', sources)
  return {
    sources: sources.map((source) => readSource(resource, source)),
    chunks: readChunks(resource, chunks),
  }
}

/** Errors: TagFault, SyntaxError or TypeError for invalid content. */
export function readSource({ statistics }: Resource, written: WrittenSource): SourceInFile {
  const { kind, name, sha256, rows, refused, groups, retried, late } = written
  for (const [member, value] of Object.entries({ kind, name, sha256 })) {
    if (typeof value !== 'string') refuseTag(member, value)
  }
  if (!Array.isArray(groups)) refuseTag('groups', groups)
  if (late !== undefined && late !== true) refuseTag('late', late)
  return {
    kind,
    name,
    sha256,
    rows: checkCount('rows', rows),
    refused: checkCount('refused', refused),
    groups: groups.map((group) => readGroup(statistics, group)),
    ...(retried !== undefined && { retried: readRetried(retried) }),
    ...(late && { late }),
  }
}

function readRetried(retried: string): readonly bigint[] {
  try {
    return readOrdinals(retried)
  } catch {
    return refuseTag('retried', retried)
  }
}

function readGroup(named: GroupColumns | undefined, [period, type, rows, sums]: WrittenGroup): Group {
  if (typeof type !== 'string') refuseTag(named?.type ?? 'type', type)
  return {
    period: readInstant(period) ?? refuseTag(named?.period ?? 'period', period),
    type,
    rows: checkCount('rows of a group', rows),
    sums: Object.fromEntries(
      Object.entries(sums).map(([column, digits]) => [
        column,
        /^-?\d{1,60}$/.test(digits) ? BigInt(digits) : refuseTag(`sum of ${column}`, digits),
      ]),
    ),
  }
}
