import type { Resource } from '../catalog/resource.ts'
import { readInstant, writeInstant } from '../derive/instant.ts'
import { fail } from '../errors.ts'
import { type Chunk, readChunks, writeChunks } from './chunk.ts'
import { readOrdinals, writeOrdinals } from './ordinals.ts'
import type { Group, SourceInFile } from './source.ts'

/** What a live `add` entry tells about its file, so that counts, sums and page positions need no file. */
export interface FileTags {
  readonly sha256: string
  readonly sources: readonly SourceInFile[]
  /** What the log tells of the chunks of the file; none for a resource without `access`. */
  readonly chunks: readonly Chunk[]
}

const SHA256 = 'ledgerlake.sha256'
const SOURCES = 'ledgerlake.sources'
const CHUNKS = 'ledgerlake.chunks'

type WrittenGroup = readonly [
  endPeriod: string,
  rewardType: string,
  rows: number,
  sums: Record<string, string>,
]
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
        writeInstant(group.end_period),
        group.reward_type,
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
    const written = JSON.parse(sources) as readonly WrittenSource[]
    const chunks = readChunks(resource, tags?.[CHUNKS] ?? '[]')
    return { sha256, sources: written.map(readSource), chunks }
  } catch (cause) {
    return fail('lake_damaged', `${path} has damaged tags in the log; restore the log from a copy.`, {
      cause,
    })
  }
}

function readSource({ groups, retried, ...source }: WrittenSource): SourceInFile {
  return {
    ...source,
    groups: groups.map(readGroup),
    ...(retried !== undefined && { retried: readOrdinals(retried) }),
  }
}

function readGroup([endPeriod, reward_type, rows, sums]: WrittenGroup): Group {
  return {
    end_period: readInstant(endPeriod) ?? 0n,
    reward_type,
    rows,
    sums: Object.fromEntries(Object.entries(sums).map(([column, digits]) => [column, BigInt(digits)])),
  }
}
