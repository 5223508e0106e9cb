import { runInSlices } from '../../../base/slices.ts'
import { compareGroups, type GroupKey } from '../../../lake/facts/group-series.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { BlockFile } from '../../blocks/block-file.ts'
import { sourcesOf } from '../cover.ts'
import { groupText } from '../key-file-contents.ts'
import { gatherRows } from './gather-rows.ts'
import { KeyFileWriter } from './key-file-writer.ts'
import { type Survey, surveyRows } from './survey-rows.ts'

/** Values in memory at a time, of 8 bytes each. */
const MOST_GATHERED = 32_000_000

/** Writes the rows of sources by key. Returns the name of the file. Errors: DamagedFile for a damaged list. */
export async function writeKeyFile(
  path: string,
  table: TableSnapshot,
  names: ReadonlySet<string>,
  openListsOf: (files: TableSnapshot['files']) => Promise<readonly BlockFile[]>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { resource } = table
  const files = table.files.filter(({ sources }) => sources.some(({ name }) => names.has(name)))
  const groups = groupsOf(files, names)
  const lists = await openListsOf(files)
  try {
    const survey = await runInSlices(surveyRows(resource, lists, groups), signal)
    const writer = await KeyFileWriter.create(path, resource, { ...survey, groups })
    try {
      for (const [from, to] of divideKeys(survey, writer.stored.length)) {
        const gathering = gatherRows(survey, writer.stored, writer.numberText, from, to)
        await writer.append(await runInSlices(gathering, signal), signal)
      }
      const sources = [...sourcesOf(table)].filter(([name]) => names.has(name))
      return await writer.finish(Object.fromEntries(sources))
    } catch (error) {
      await writer.close().catch(() => {})
      throw error
    }
  } finally {
    for (const list of lists) list.close()
  }
}

/** Divides keys into ranges whose values fit into memory. */
function divideKeys({ starts }: Survey, columns: number): readonly (readonly [from: number, to: number])[] {
  const mostRows = MOST_GATHERED / Math.max(1, columns)
  const keys = starts.length - 1
  const ranges: (readonly [number, number])[] = []
  for (let from = 0, to = 0; from < keys; from = to) {
    const most = (starts[from] ?? 0) + mostRows
    for (to = from + 1; to < keys && (starts[to + 1] ?? 0) <= most; ) to += 1
    ranges.push([from, to])
  }
  return ranges
}

/** The distinct groups of sources, which may have parts in several files. */
function groupsOf(files: TableSnapshot['files'], names: ReadonlySet<string>): readonly GroupKey[] {
  const groups = new Map<string, GroupKey>()
  for (const { name: source, groups: sourceGroups } of files.flatMap((file) => file.sources))
    if (names.has(source))
      for (const { period, type } of sourceGroups) {
        const group = { period, type, source }
        groups.set(groupText(group), group)
      }
  return [...groups.values()].sort(compareGroups)
}
