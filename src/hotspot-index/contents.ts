import type { Resource } from '../catalog/resource.ts'
import type { Token } from '../derive/column-codecs.ts'
import type { GroupKey } from '../lake/series.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { sourceKey } from '../lake/source.ts'
import { blockColumns, type IndexedGroup } from './block-layout.ts'

/** What a segment holds, and from which sources it was made. */
export interface Contents {
  readonly table: string
  /** Calendar year of the period, UTC. */
  readonly year: number
  /** Columns stored with rows, each with its kind. */
  readonly columns: readonly string[]
  /** Groups by the number that rows name them with. */
  readonly groups: readonly IndexedGroup[]
  /** Every source that rows come from, with its digest and how many rows it has in the table. */
  readonly sources: Readonly<Record<string, string>>
}

/** The groups of one calendar year, and their sources. */
export interface Wanted extends Pick<Contents, 'year' | 'sources'> {
  readonly groups: readonly GroupKey[]
}

/** The columns that a segment stores, with all that decides how; a segment with other texts is not used. */
export function describeColumns(resource: Resource): readonly string[] {
  return blockColumns(resource).map((name) => {
    const { kind = '', choices = [] } = resource.columns[name] ?? {}
    return [name, kind, ...choices].join(' ')
  })
}

/** What the segments of a version of a table should hold, one a year, oldest first. */
export function wantedOf(table: TableSnapshot): readonly Wanted[] {
  const years = new Map<number, { groups: GroupKey[]; sources: Record<string, string> }>()
  const digests = new Map([...table.sources.values()].map((source) => [sourceKey(source), source]))
  for (const source of table.files.flatMap((file) => file.sources)) {
    const key = sourceKey(source)
    const whole = digests.get(key)
    for (const { period, type } of source.groups) {
      const year = yearOf(period)
      const wanted = years.get(year) ?? { groups: [], sources: {} }
      years.set(year, wanted)
      wanted.groups.push({ period, type, source: source.name })
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

export function groupText({ period, type, source }: GroupKey): string {
  return `${period} ${type} ${source}`
}

/** A source that lies in several files has its groups in each of them. */
function distinct(groups: readonly GroupKey[]): readonly GroupKey[] {
  return [...new Map(groups.map((group) => [groupText(group), group])).values()]
}

type WrittenGroup = readonly [
  period: string,
  type: string,
  source: string,
  fields: readonly number[],
  common: readonly (readonly [column: number, text: string])[],
]

interface WrittenContents extends Omit<Contents, 'groups'> {
  readonly groups: readonly WrittenGroup[]
}

export function writeContents({ groups, ...contents }: Contents): string {
  const written = groups.map(({ period, type, source, fields, common }): WrittenGroup => {
    const texts = [...common].map(([column, token]) => [column, writeToken(token)] as const)
    return [`${period}`, type, source, fields, texts]
  })
  return JSON.stringify({ ...contents, groups: written })
}

export function readContents(text: string): Contents {
  const { groups, ...contents }: WrittenContents = JSON.parse(text)
  return {
    ...contents,
    groups: groups.map(([period, type, source, fields, common]) => ({
      period: BigInt(period),
      type,
      source,
      fields,
      common: new Map(common.map(([column, text]) => [column, readToken(text)])),
    })),
  }
}

/** A text begins with a quotation mark, a number does not. */
const writeToken = (token: Token) => (typeof token === 'string' ? `"${token}` : `${token}`)
const readToken = (text: string): Token => (text.startsWith('"') ? text.slice(1) : BigInt(text))
