import type { Resource } from '../catalog/resource.ts'
import { codecOf } from '../derive/column-codecs.ts'
import type { KeyedReader, RowsByKey } from '../lake/keyed-reader.ts'
import type { GroupKey } from '../lake/series.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { blockColumns, type IndexedGroup } from './block-layout.ts'
import { DIGEST_DIGITS } from './merge-segment.ts'

/** Reads the rows of groups that have a key, in the order of the digests of their keys. */
export async function readArriving(
  groups: readonly GroupKey[],
  { resource, files }: TableSnapshot,
  writer: KeyedReader,
): Promise<RowsByKey> {
  if (groups.length === 0) return { common: [], digests: Buffer.of(), batches: nothing() }
  const names = new Set(groups.map((group) => group.source))
  const holding = files.filter((file) => file.sources.some((source) => names.has(source.name)))
  const columns = blockColumns(resource)
  const key = resource.keyed ?? ''
  return await writer.readKeyed(resource, { key, digits: DIGEST_DIGITS, columns, files: holding, groups })
}

/** A group with the columns in which its rows differ, and the value that they share in each other column. */
export function indexedGroup(
  resource: Resource,
  group: GroupKey,
  common: RowsByKey['common'][number] = {},
): IndexedGroup {
  const columns = blockColumns(resource).flatMap((name) => {
    const column = resource.columns[name]
    return column === undefined ? [] : [{ codec: codecOf(column), value: common[name] }]
  })
  return {
    ...group,
    fields: [...columns.entries()].flatMap(([place, { value }]) => (value === undefined ? [place] : [])),
    common: new Map(
      [...columns.entries()].flatMap(([place, { codec, value }]) =>
        value === undefined || value === null ? [] : [[place, codec.toToken(value)] as const],
      ),
    ),
  }
}

async function* nothing(): AsyncGenerator<never> {}
