import { fail } from '../errors.ts'
import type { FileFacts } from '../lake/row-writer.ts'
import type { SourceInFile } from '../lake/source.ts'

/** What was read back must be what was counted while decoding. Errors: `internal`. */
export function verify(path: string, facts: FileFacts, sources: readonly SourceInFile[]): void {
  const counted = mergeByName(sources.filter((source) => source.rows > 0)).map(describeSource)
  const reread = facts.sources.map((source) => describeSource({ name: source.source_file, ...source }))
  const difference = [...counted, ...reread].find((text) => !counted.includes(text) || !reread.includes(text))
  if (difference === undefined) return
  fail(
    'internal',
    `${path} does not hold what was written to it: ${difference}; check the disk and ingest again.`,
  )
}

/** Manifests of both networks may have one name, which is all that a row knows of its source. */
function mergeByName(sources: readonly SourceInFile[]): readonly CountedSource[] {
  const byName = new Map<string, CountedSource>()
  for (const { name, rows, groups } of sources) {
    const known = byName.get(name)
    byName.set(name, { name, rows: rows + (known?.rows ?? 0), groups: [...groups, ...(known?.groups ?? [])] })
  }
  return [...byName.values()]
}

type CountedSource = Pick<SourceInFile, 'name' | 'rows' | 'groups'>

function describeSource({ name, rows, groups }: CountedSource): string {
  const described = groups.map((group) => {
    const sums = Object.entries(group.sums).map(([column, sum]) => `${column} ${sum}`)
    return `${group.end_period} ${group.reward_type} ${group.rows} rows ${sums.sort().join(' ')}`
  })
  return `${name}: ${rows} rows; ${described.sort().join('; ')}`
}
