import { fail } from '../../base/errors.ts'
import { locateGroups } from '../../lake/facts/group-statistics.ts'
import type { Group, SourceInFile } from '../../lake/facts/source.ts'
import type { FileFacts, GroupFacts } from '../../lake/ports/file-writer.ts'

/** Verifies that the file has the counted rows and sums, with every group at its position. Errors: `internal`. */
export function verifyStagedFile(path: string, facts: FileFacts, sources: readonly SourceInFile[]): void {
  const difference = findDifference(path, facts, sources)
  if (difference === undefined) return
  fail(
    'internal',
    `${path} does not hold what was written to it: ${difference}; check the disk and ingest again.`,
  )
}

/** Describes the first source that differs between file and counts; undefined if all match. */
export function findDifference(
  path: string,
  facts: FileFacts,
  sources: readonly SourceInFile[],
): string | undefined {
  const places = locateGroups(sources, path).map((group) => ({
    ...group,
    last: group.first + group.rows - 1,
  }))
  const counted = [...rowsByName(sources)].map(([name, rows]) =>
    describeSource(
      name,
      rows,
      places.filter((group) => group.source === name),
    ),
  )
  const inFile = facts.sources.map(({ source_file, rows, groups }) =>
    describeSource(source_file, rows, groups),
  )
  return [...counted, ...inFile].find((text) => !counted.includes(text) || !inFile.includes(text))
}

/** Sums rows by name. Manifests of both networks may share a name, and rows store only the name. */
function rowsByName(sources: readonly SourceInFile[]): ReadonlyMap<string, number> {
  const byName = new Map<string, number>()
  for (const { name, rows } of sources) if (rows > 0) byName.set(name, rows + (byName.get(name) ?? 0))
  return byName
}

function describeSource(name: string, rows: number, groups: readonly GroupFacts[]): string {
  const described = groups.map((group) => `at ${group.first} to ${group.last}: ${describeGroup(group)}`)
  return `${name}: ${rows} rows; ${described.sort().join('; ')}`
}

export function describeGroup({ period, type, rows, sums }: Group): string {
  const sorted = Object.entries(sums).map(([column, sum]) => `${column} ${sum}`)
  return `${period} ${type} ${rows} rows ${sorted.sort().join(' ')}`
}
