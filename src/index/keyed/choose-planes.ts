import { getOrMake, groupBy } from '../../base/maps.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { Covering } from './cover.ts'
import type { KeyFile } from './key-file.ts'
import type { PlanePart } from './key-file-contents.ts'
import { MOST_COLUMNS } from './plane.ts'

/** The planes of a file to add up, by token. */
export interface PlanesToAdd {
  readonly file: KeyFile
  readonly tokens: ReadonlyMap<string | null, readonly PlanePart[]>
}

export type TokenOf = (source: string) => string | null

/**
 * Chooses the planes of a range: a month's plane if the range contains the month and it has one token, otherwise the planes of
 * periods. Undefined if a plane has several tokens, or only some of its sources are covered.
 */
export function choosePlanes(
  coverings: readonly Covering[],
  range: GroupRange,
  tokenOf: TokenOf,
): readonly PlanesToAdd[] | undefined {
  const chosen: PlanesToAdd[] = []
  let planes = 0
  for (const covering of coverings) {
    const tokens = planesOf(covering, range, tokenOf)
    if (tokens === undefined) return undefined
    for (const parts of tokens.values()) planes += parts.length
    chosen.push({ file: covering.file, tokens })
  }
  return planes > MOST_COLUMNS ? undefined : chosen
}

function planesOf(covering: Covering, range: GroupRange, tokenOf: TokenOf) {
  const { file } = covering
  const { planes } = file.contents
  const isOfType = ({ type }: PlanePart) => range.type === undefined || type === range.type
  const isInRange = (period: bigint) => range.from <= period && period <= range.to
  const tokens = new Map<string | null, PlanePart[]>()
  for (const ofMonth of groupBy(planes.filter(isOfType), ({ month }) => month).values()) {
    const single = ofMonth.filter(({ period }) => period !== null)
    const inRange = single.filter(({ period }) => isInRange(BigInt(period ?? 0)))
    const sources = sourcesOf(covering, inRange)
    if (sources === undefined) return undefined
    // Other files cover the remaining planes.
    const needed = inRange.filter((_, index) => sources[index]?.size !== 0)
    const ofPlanes = sources.filter(({ size }) => size > 0).map((names) => new Set([...names].map(tokenOf)))
    if (ofPlanes.some((tokensOfPlane) => tokensOfPlane.size > 1)) return undefined
    const first = [...(ofPlanes[0] ?? [])][0] ?? null
    const isSingleToken = ofPlanes.every((tokensOfPlane) => tokensOfPlane.has(first))
    const totals = needed.length === single.length && isSingleToken ? totalsOf(ofMonth) : undefined
    for (const [index, part] of (totals ?? needed).entries()) {
      const token = totals === undefined ? ([...(ofPlanes[index] ?? [])][0] ?? null) : first
      getOrMake(tokens, token, (): PlanePart[] => []).push(part)
    }
  }
  return tokens
}

/** The covered sources of each plane; undefined if a plane has covered and uncovered sources. */
function sourcesOf(
  { file, isCovered }: Covering,
  planes: readonly PlanePart[],
): readonly ReadonlySet<string>[] | undefined {
  const names = new Map(planes.map(({ period, type }) => [`${period} ${type}`, new Set<string>()]))
  const mixed = new Set<string>()
  for (const [number, { period, type, source }] of file.contents.groups.entries()) {
    const name = `${period} ${type}`
    if (isCovered[number] === 1) names.get(name)?.add(source)
    else mixed.add(name)
  }
  const isMixed = [...names].some(([name, { size }]) => size > 0 && mixed.has(name))
  return isMixed ? undefined : [...names.values()]
}

/** The plane of the month, or the only plane, of each type; undefined if a type has neither. */
function totalsOf(ofMonth: readonly PlanePart[]): readonly PlanePart[] | undefined {
  const totals: PlanePart[] = []
  for (const parts of groupBy(ofMonth, ({ type }) => type).values()) {
    const total = parts.length === 1 ? parts[0] : parts.find(({ period }) => period === null)
    if (total === undefined) return undefined
    totals.push(total)
  }
  return totals
}
