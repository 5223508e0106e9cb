import type { GroupRange } from '../query/group-range.ts'
import { MOST_COLUMNS } from './column.ts'
import type { LoadedMonth } from './loaded-months.ts'
import type { ColumnPart, MonthFile } from './month-file.ts'
import type { WantedColumn } from './wanted.ts'

/** What has to be added up of a file, by token. */
export interface MonthRead {
  readonly file: MonthFile
  readonly tokens: ReadonlyMap<string | null, readonly ColumnPart[]>
}

export type TokenOf = (source: string) => string | null

/**
 * What has to be read for a range, month by month: its totals where all of a month is asked for and is of one token, otherwise its
 * columns. Undefined when a file lacks a column, or rows of one column are of several tokens.
 */
export function chooseColumns(
  months: readonly LoadedMonth[],
  range: GroupRange,
  tokenOf: TokenOf,
): readonly MonthRead[] | undefined {
  const reads: MonthRead[] = []
  let columns = 0
  for (const month of months) {
    const ofType = month.wanted.columns.filter(({ type }) => range.type === undefined || type === range.type)
    const asked = ofType.filter(({ period }) => range.from <= period && period <= range.to)
    if (asked.length === 0) continue
    const tokens = tokensOf(asked, tokenOf)
    if (month.file === undefined || tokens === undefined) return undefined
    const { file } = month
    const isWhole = month.isComplete && asked.length === ofType.length && tokens.size === 1
    const totals = isWhole ? totalsOf(file, range.type, asked) : undefined
    const parts = new Map<string | null, readonly ColumnPart[]>()
    for (const [token, own] of tokens) {
      const found = totals ?? own.flatMap((column) => file.columnOf(column) ?? [])
      if (totals === undefined && found.length < own.length) return undefined
      parts.set(token, found)
      columns += found.length
    }
    reads.push({ file, tokens: parts })
  }
  return columns > MOST_COLUMNS ? undefined : reads
}

/** Undefined when a type has no total. */
function totalsOf(
  { contents }: MonthFile,
  type: string | undefined,
  asked: readonly WantedColumn[],
): readonly ColumnPart[] | undefined {
  const totals = contents.totals.filter((total) => type === undefined || total.type === type)
  return totals.length < new Set(asked.map((column) => column.type)).size ? undefined : totals
}

/** Columns by their tokens; undefined when one of them has several. */
function tokensOf(
  columns: readonly WantedColumn[],
  tokenOf: TokenOf,
): ReadonlyMap<string | null, readonly WantedColumn[]> | undefined {
  const tokens = new Map<string | null, WantedColumn[]>()
  for (const column of columns) {
    const [token = null, ...others] = new Set(column.sources.map(tokenOf))
    if (others.length > 0) return undefined
    const own = tokens.get(token)
    if (own === undefined) tokens.set(token, [column])
    else own.push(column)
  }
  return tokens
}
