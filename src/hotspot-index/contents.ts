import type { Resource } from '../catalog/resource.ts'
import type { GroupKey } from '../lake/series.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { sourceKey } from '../lake/source.ts'
import { blockColumns, type IndexedGroup } from './block-form.ts'
import type { Token } from './forms.ts'

/** What a segment holds, and what it was made of. */
export interface Contents {
  readonly table: string
  /** Calendar year of end_period, UTC. */
  readonly year: number
  /** Columns that rows say, each with what its values mean. */
  readonly columns: readonly string[]
  /** Groups by the number that rows name them with. */
  readonly groups: readonly IndexedGroup[]
  /** Every source that rows come from, with its digest and all its rows. */
  readonly sources: Readonly<Record<string, string>>
}

/** The groups of one calendar year, and the sources that they are of. */
export interface Wanted extends Pick<Contents, 'year' | 'sources'> {
  readonly groups: readonly GroupKey[]
}

/** What a segment has to hold of each row of a resource: a release that writes it otherwise has other texts. */
export function describeColumns(resource: Resource): readonly string[] {
  return blockColumns(resource).map((name) => {
    const { kind = '', choices = [] } = resource.columns[name] ?? {}
    return [name, kind, ...choices].join(' ')
  })
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

type WrittenGroup = readonly [
  end_period: string,
  reward_type: string,
  source: string,
  fields: readonly number[],
  common: readonly (readonly [column: number, text: string])[],
]

export function writeContents({ groups, ...contents }: Contents): string {
  const written = groups.map(({ end_period, reward_type, source, fields, common }): WrittenGroup => {
    const texts = [...common].map(([column, token]) => [column, writeToken(token)] as const)
    return [`${end_period}`, reward_type, source, fields, texts]
  })
  return JSON.stringify({ ...contents, groups: written })
}

export function readContents(text: string): Contents {
  const { groups, ...contents } = JSON.parse(text) as Omit<Contents, 'groups'> & {
    readonly groups: readonly WrittenGroup[]
  }
  return {
    ...contents,
    groups: groups.map(([end_period, reward_type, source, fields, common]) => ({
      end_period: BigInt(end_period),
      reward_type,
      source,
      fields,
      common: new Map(common.map(([column, text]) => [column, readToken(text)])),
    })),
  }
}

/** Numbers and texts, told apart by their first character. */
const writeToken = (token: Token) => (typeof token === 'string' ? `"${token}` : `${token}`)
const readToken = (text: string): Token => (text.startsWith('"') ? text.slice(1) : BigInt(text))
