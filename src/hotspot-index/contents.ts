import type { GroupKey } from '../lake/series.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { sourceKey } from '../lake/source.ts'

/** What a segment holds, and what it was made of. */
export interface Contents {
  readonly table: string
  /** Calendar year of end_period, UTC. */
  readonly year: number
  /** Amount columns, in the order of each block. */
  readonly columns: readonly string[]
  /** Groups by the number that rows name them with. */
  readonly groups: readonly GroupKey[]
  /** Every source that rows come from, with its digest and all its rows. */
  readonly sources: Readonly<Record<string, string>>
}

/** The groups of one calendar year, and the sources that they are of. */
export type Wanted = Pick<Contents, 'year' | 'groups' | 'sources'>

/** The amount columns that totals of a resource sum. */
export function indexedColumns({ resource }: Pick<TableSnapshot, 'resource'>): readonly string[] {
  const members = Object.values(resource.totals ?? {})
  return [...new Set(members.map((member) => (typeof member === 'string' ? member : member.of)))]
}

/** What segments of a version of a table hold, a year each, oldest first. */
export function wantedOf(table: TableSnapshot): readonly Wanted[] {
  const years = new Map<number, { groups: GroupKey[]; sources: Record<string, string> }>()
  const digests = new Map([...table.sources.values()].map((source) => [sourceKey(source), source]))
  for (const source of table.files.flatMap((file) => file.sources)) {
    const key = sourceKey(source)
    const whole = digests.get(key)
    for (const { end_period, reward_type } of source.groups) {
      const year = yearOf(end_period)
      const wanted = years.get(year) ?? { groups: [], sources: {} }
      years.set(year, wanted)
      wanted.groups.push({ end_period, reward_type, source: source.name })
      wanted.sources[key] = `${whole?.sha256} ${whole?.rows}`
    }
  }
  return [...years]
    .map(([year, { groups, sources }]) => ({ year, groups: distinct(groups), sources }))
    .sort((a, b) => a.year - b.year)
}

/** Microseconds since 1970 at which a calendar year begins, UTC. */
export function startOfYear(year: number): bigint {
  return BigInt(Date.UTC(year, 0, 1)) * 1000n
}

function yearOf(micros: bigint): number {
  return new Date(Number(micros / 1000n)).getUTCFullYear()
}

export function groupText({ end_period, reward_type, source }: GroupKey): string {
  return `${end_period} ${reward_type} ${source}`
}

/** A source that straddles files has its groups in each of them. */
function distinct(groups: readonly GroupKey[]): readonly GroupKey[] {
  return [...new Map(groups.map((group) => [groupText(group), group])).values()]
}

export function writeContents({ groups, ...contents }: Contents): string {
  return JSON.stringify({
    ...contents,
    groups: groups.map(({ end_period, reward_type, source }) => [`${end_period}`, reward_type, source]),
  })
}

export function readContents(text: string): Contents {
  const { groups, ...contents } = JSON.parse(text) as Omit<Contents, 'groups'> & {
    readonly groups: readonly (readonly [string, string, string])[]
  }
  return {
    ...contents,
    groups: groups.map(([end_period, reward_type, source]) => ({
      end_period: BigInt(end_period),
      reward_type,
      source,
    })),
  }
}
