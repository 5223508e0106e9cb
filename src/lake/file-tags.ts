import type { GroupColumns, Resource } from '../catalog/resource.ts'
import { readInstant, writeInstant } from '../derive/instant.ts'
import { fail } from '../errors.ts'
import { type Chunk, readChunks, writeChunks } from './chunk.ts'
import { readOrdinals, writeOrdinals } from './ordinals.ts'
import type { Group, SourceInFile } from './source.ts'
import { readCount, refuseTag, TagFault } from './tag-fault.ts'

/** What a live `add` entry says of its file, so that counts, sums and page positions follow without opening it. */
export interface FileTags {
  readonly sha256: string
  readonly sources: readonly SourceInFile[]
  /** What the log says of the chunks of the file; none for a resource without `access`. */
  readonly chunks: readonly Chunk[]
}

/** Name of the tag with the SHA-256 of a file. */
export const SHA256 = 'ledgerlake.sha256'
const SOURCES = 'ledgerlake.sources'
const CHUNKS = 'ledgerlake.chunks'

type WrittenGroup = readonly [period: string, type: string, rows: number, sums: Record<string, string>]
type WrittenSource = Omit<SourceInFile, 'groups' | 'retried'> & {
  readonly groups: readonly WrittenGroup[]
  readonly retried?: string
}

export function writeTags(tags: FileTags): Record<string, string> {
  const sources = tags.sources.map(
    ({ groups, retried = [], ...source }): WrittenSource => ({
      ...source,
      ...(retried.length > 0 && { retried: writeOrdinals(retried) }),
      groups: groups.map((group) => [
        writeInstant(group.period),
        group.type,
        group.rows,
        Object.fromEntries(Object.entries(group.sums).map(([column, sum]) => [column, sum.toString()])),
      ]),
    }),
  )
  return {
    [SHA256]: tags.sha256,
    [SOURCES]: JSON.stringify(sources),
    ...(tags.chunks.length > 0 && { [CHUNKS]: writeChunks(tags.chunks) }),
  }
}

/** Errors: `lake_damaged` when a file was added by another program, without tags. */
export function readTags(
  resource: Resource,
  tags: Readonly<Record<string, string>> | undefined,
  path: string,
): FileTags {
  const sha256 = tags?.[SHA256]
  const sources = tags?.[SOURCES]
  if (sha256 === undefined || sources === undefined) {
    return fail(
      'lake_damaged',
      `${path} was added without the tags of this program; remove it with what added it.`,
    )
  }
  try {
    const written: unknown = JSON.parse(sources)
    if (!Array.isArray(written)) refuseTag('sources', written)
    const chunks = readChunks(resource, tags?.[CHUNKS] ?? '[]')
    return { sha256, sources: written.map((source) => readSource(resource, source)), chunks }
  } catch (cause) {
    const fault = cause instanceof TagFault ? cause.message : 'they are no JSON of this program'
    return fail(
      'lake_damaged',
      `${path} has damaged tags in the log: ${fault}; restore the log from a copy.`,
      {
        cause,
      },
    )
  }
}

function readSource({ statistics }: Resource, written: WrittenSource): SourceInFile {
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
    rows: readCount('rows', rows),
    refused: readCount('refused', refused),
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
    rows: readCount('rows of a group', rows),
    sums: Object.fromEntries(
      Object.entries(sums).map(([column, digits]) => [
        column,
        /^-?\d{1,60}$/.test(digits) ? BigInt(digits) : refuseTag(`sum of ${column}`, digits),
      ]),
    ),
  }
}
