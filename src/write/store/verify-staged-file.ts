import { fail } from '../../base/errors.ts'
import { placeGroups } from '../../lake/facts/group-statistics.ts'
import type { SourceInFile } from '../../lake/facts/source.ts'
import type { FileFacts, GroupFacts } from '../../lake/ports/file-writer.ts'

/**
 * What was read back must be what was counted while decoding, and every group must lie where pages will look for it.
 * Errors: `internal`.
 */
export function verifyStagedFile(path: string, facts: FileFacts, sources: readonly SourceInFile[]): void {
  const difference = findDifference(path, facts, sources)
  if (difference === undefined) return
  fail(
    'internal',
    `${path} does not hold what was written to it: ${difference}; check the disk and ingest again.`,
  )
}

/** What a file says of one source and was not counted, or the other way round; undefined when it says the same of all. */
export function findDifference(
  path: string,
  facts: FileFacts,
  sources: readonly SourceInFile[],
): string | undefined {
  const places = placeGroups(sources, path).map((group) => ({ ...group, last: group.first + group.rows - 1 }))
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

/** Manifests of both networks may have one name, which is all that a row knows of its source. */
function rowsByName(sources: readonly SourceInFile[]): ReadonlyMap<string, number> {
  const byName = new Map<string, number>()
  for (const { name, rows } of sources) if (rows > 0) byName.set(name, rows + (byName.get(name) ?? 0))
  return byName
}

function describeSource(name: string, rows: number, groups: readonly GroupFacts[]): string {
  const described = groups.map((group) => {
    const sums = Object.entries(group.sums).map(([column, sum]) => `${column} ${sum}`)
    return (
      `${group.period} ${group.type} ${group.rows} rows at ${group.first} to ${group.last} ` +
      sums.sort().join(' ')
    )
  })
  return `${name}: ${rows} rows; ${described.sort().join('; ')}`
}
