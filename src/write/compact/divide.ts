import type { Resource } from '../../catalog/resource.ts'
import { COMPACTED_FILE_ROWS, fewestFiles } from '../../lake/facts/chunk.ts'
import { compareBounds } from '../../lake/facts/chunk-match.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { gatherSources, type SourceInFile } from '../../lake/facts/source.ts'

/** The sources of one output file of a grouped partition; their periods lie in one range. */
export interface Division {
  /** First and last period, inclusive. */
  readonly from: bigint
  readonly to: bigint
  readonly rows: number
  readonly sources: readonly SourceInFile[]
}

/**
 * Divides the sources of a partition among consecutive files of at most `COMPACTED_FILE_ROWS`. The rows of a source
 * and of a period stay in one file, because retried messages are added to the file of their source.
 */
export function divideSources(sources: readonly SourceInFile[]): readonly Division[] {
  const divisions: Division[] = []
  for (const next of inseparable(sources)) {
    const last = divisions.at(-1)
    if (last !== undefined && last.rows + next.rows <= COMPACTED_FILE_ROWS)
      divisions[divisions.length - 1] = joinDivisions(last, next)
    else divisions.push(next)
  }
  const [first = nothing, ...laterDivisions] = divisions
  const empty = sources.filter(({ groups }) => groups.length === 0)
  return [{ ...first, sources: [...first.sources, ...empty] }, ...laterDivisions]
}

const nothing: Division = { from: 0n, to: 0n, rows: 0, sources: [] }

/** Joins sources that share periods, directly or through others; sorted by period. */
function inseparable(sources: readonly SourceInFile[]): readonly Division[] {
  const alone = sources.filter(({ groups }) => groups.length > 0).map(toDivision)
  const joined: Division[] = []
  for (const next of alone.sort((a, b) => compareBounds(a.from, b.from))) {
    const last = joined.at(-1)
    if (last !== undefined && next.from <= last.to) joined[joined.length - 1] = joinDivisions(last, next)
    else joined.push(next)
  }
  return joined
}

function toDivision(source: SourceInFile): Division {
  const range = rangeOf(source.groups.map((group) => group.period))
  return { ...range, rows: source.rows, sources: [source] }
}

function joinDivisions(a: Division, b: Division): Division {
  const range = rangeOf([a.from, a.to, b.from, b.to])
  return { ...range, rows: a.rows + b.rows, sources: [...a.sources, ...b.sources] }
}

function rangeOf(ends: readonly bigint[]): Pick<Division, 'from' | 'to'> {
  const ascending = [...ends].sort(compareBounds)
  return { from: ascending[0] ?? 0n, to: ascending.at(-1) ?? 0n }
}

/** Returns the minimum number of files for the rows of one partition. */
export function filesNeeded(resource: Resource, files: readonly DataFile[]): number {
  if (resource.statistics !== undefined) return divideSources(gatherSources(files)).length
  return fewestFiles(
    resource,
    files.reduce((sum, file) => sum + file.rows, 0),
  )
}
