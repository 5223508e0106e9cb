import type { Resource } from '../../catalog/resource.ts'
import { COMPACTED_FILE_ROWS, fewestFiles } from '../../lake/facts/chunk.ts'
import { compareBounds } from '../../lake/facts/chunk-match.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { addSource, type SourceInFile, sourceKey } from '../../lake/facts/source.ts'

/** What one file will hold of a grouped partition: the whole rows of sources, all with ends of periods in a range. */
export interface Division {
  /** First and last period, both included. */
  readonly from: bigint
  readonly to: bigint
  readonly rows: number
  readonly sources: readonly SourceInFile[]
}

/** The sources of files, each once, with the rows of all of them. */
export function gatherSources(files: readonly DataFile[]): readonly SourceInFile[] {
  const sources = new Map<string, SourceInFile>()
  for (const source of files.flatMap((file) => file.sources)) {
    const known = sources.get(sourceKey(source))
    sources.set(sourceKey(source), known === undefined ? source : addSource(known, source))
  }
  return [...sources.values()]
}

/**
 * Divides the sources of a grouped partition among files that follow each other, each of at most `COMPACTED_FILE_ROWS`. The rows of a source stay together, since refused messages that are rows later arrive in one file, and
 * so do those of one period.
 */
export function divide(sources: readonly SourceInFile[]): readonly Division[] {
  const divisions: Division[] = []
  for (const next of inseparable(sources)) {
    const last = divisions.at(-1)
    if (last !== undefined && last.rows + next.rows <= COMPACTED_FILE_ROWS)
      divisions[divisions.length - 1] = join(last, next)
    else divisions.push(next)
  }
  const [first = nothing, ...others] = divisions
  const empty = sources.filter(({ groups }) => groups.length === 0)
  return [{ ...first, sources: [...first.sources, ...empty] }, ...others]
}

const nothing: Division = { from: 0n, to: 0n, rows: 0, sources: [] }

/** Sources that share ends of periods, directly or by way of others, as one; ascending. */
function inseparable(sources: readonly SourceInFile[]): readonly Division[] {
  const alone = sources.filter(({ groups }) => groups.length > 0).map(toDivision)
  const joined: Division[] = []
  for (const next of alone.sort((a, b) => compareBounds(a.from, b.from))) {
    const last = joined.at(-1)
    if (last !== undefined && next.from <= last.to) joined[joined.length - 1] = join(last, next)
    else joined.push(next)
  }
  return joined
}

function toDivision(source: SourceInFile): Division {
  const range = rangeOf(source.groups.map((group) => group.period))
  return { ...range, rows: source.rows, sources: [source] }
}

function join(a: Division, b: Division): Division {
  const range = rangeOf([a.from, a.to, b.from, b.to])
  return { ...range, rows: a.rows + b.rows, sources: [...a.sources, ...b.sources] }
}

function rangeOf(ends: readonly bigint[]): Pick<Division, 'from' | 'to'> {
  const ascending = [...ends].sort(compareBounds)
  return { from: ascending[0] ?? 0n, to: ascending.at(-1) ?? 0n }
}

/** As few files as the rows of files of one partition need. */
export function filesNeeded(resource: Resource, files: readonly DataFile[]): number {
  if (resource.statistics !== undefined) return divide(gatherSources(files)).length
  return fewestFiles(
    resource,
    files.reduce((sum, file) => sum + file.rows, 0),
  )
}
