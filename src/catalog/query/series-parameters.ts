import type { ParamFault } from '../../base/errors.ts'
import { booleanParameter, type ParameterCheck, parameter, quoted } from '../../base/parameter-text.ts'
import { nearestTo } from '../../base/unknown-parameters.ts'
import type { Resource } from '../resource.ts'
import { type Grouping, groupings, type Interval, intervals } from '../series.ts'
import { isTimeZone } from './calendar.ts'

/** Division of a series, and its hotspots. */
export interface SeriesRequest {
  readonly interval: Interval
  readonly tz: string
  readonly groupBy: Grouping | null
  /** Maximum number of groups for each token. */
  readonly limit: number
  /** Wallet in the spelling of either ledger. */
  readonly owner?: string | undefined
  readonly makerId?: string | undefined
  readonly hotspotKeys?: readonly string[] | undefined
  /** Add the median of what hotspots earned; requires groups by hotspot and one step. */
  readonly median?: true
  /** Sum like the hosted service: by the UTC date of the end of a period, over all tokens. */
  readonly asHosted?: true
}

/** True if a series depends on owners or makers, read from the newest hotspots table. */
export function hasOwners({ groupBy, owner, makerId }: SeriesRequest): boolean {
  return groupBy === 'owner' || groupBy === 'maker' || owner !== undefined || makerId !== undefined
}

export const MOST_GROUPS = 1000
export const GROUPS_UNLESS_GIVEN = 100
export const MOST_HOTSPOTS = 10_000
/** Maximum body of such a request: keys and names of 400 bytes. */
export const MOST_BODY_BYTES = 4 * 2 ** 20

export function groupingsOf({ series }: Resource): readonly Grouping[] {
  return groupings.filter((grouping) => series?.groupBy[grouping] !== undefined)
}

/** True if a series can be limited to some hotspots. */
export function hasHotspots({ series, keyed }: Resource): boolean {
  return keyed !== undefined && series?.groupBy.owner === keyed
}

/** Name of the filter by hotspot key; a series takes a list for it. */
export function keyFilterOf({ keyed, filters = {} }: Resource): string | undefined {
  return Object.keys(filters).find((name) => filters[name]?.column === keyed)
}

const choice = <T extends string>(names: readonly T[], unlessGiven: T | null) =>
  parameter((text, wrong): T | null => {
    if (text === undefined) return unlessGiven
    const match = names.find((name) => name === text)
    if (match !== undefined) return match
    const meant = nearestTo(text, names)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    return wrong(`is ${quoted(text)}; use one of ${names.join(', ')}${hint}`)
  })

/** The time zone parameter; a fault suggests the nearest name. */
export const timeZone = parameter((text, wrong) => {
  if (text === undefined) return 'UTC'
  if (isTimeZone(text)) return text
  const meant = nearestTo(text, ['UTC', ...Intl.supportedValuesOf('timeZone')])
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return wrong(
    `is ${quoted(text)}; use a time zone of the IANA database, such as UTC or Europe/Berlin${hint}`,
  )
})

const limit = parameter((text, wrong) => {
  if (text === undefined) return GROUPS_UNLESS_GIVEN
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0
  const isAccepted = number >= 1 && number <= MOST_GROUPS
  return isAccepted ? number : wrong(`is ${quoted(text)}; use a whole number from 1 to ${MOST_GROUPS}`)
})

/** Returns the fault of a list of hotspots, as the rest of a sentence; undefined if valid. */
export function faultOfKeyList(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return 'has no key; give at least one'
  if (keys.some((key) => key.includes('\0'))) return 'has a key with a NUL character; remove it'
  return faultOfKeys(keys)
}

function faultOfKeys(keys: readonly string[]): string | undefined {
  if (keys.length > MOST_HOTSPOTS) return `has ${keys.length} keys; the limit is ${MOST_HOTSPOTS}`
  return keys.includes('') ? 'has an empty key; give the keys separated by single commas' : undefined
}

/** Keys or names of hotspots, separated by commas. */
export const hotspotKeys = parameter((text, wrong) => {
  const keys = text?.split(',').map((key) => key.trim())
  const fault = keys && faultOfKeys(keys)
  return fault === undefined ? keys : wrong(fault)
})

const owner = parameter((given) => given)
const uuid = parameter((given) => given?.toLowerCase())

/** Checks of the parameters of a series, filters excluded. */
export function seriesChecks(resource: Resource): Readonly<Record<string, ParameterCheck>> {
  const key = keyFilterOf(resource)
  return {
    interval: choice(intervals, 'day'),
    tz: timeZone,
    group_by: choice(groupingsOf(resource), null),
    limit,
    ...(hasHotspots(resource) &&
      key !== undefined && { owner, maker_id: uuid, [key]: hotspotKeys, median: booleanParameter }),
  }
}

/** Returns the fault of a median with other groups or steps, unless these have faults. */
export function medianFaults({ values, faults }: CheckedSeries): readonly ParamFault[] {
  const { median = false, group_by, interval } = values
  const isKnown = !faults.some(({ param }) => param === 'group_by' || param === 'interval')
  if (median === false || !isKnown || (group_by === 'hotspot' && interval === 'all')) return []
  const message = 'median is of hotspots over the whole range; use it with group_by=hotspot and interval=all'
  return [{ param: 'median', message }]
}

interface CheckedSeries {
  readonly values: Readonly<Record<string, unknown>>
  readonly faults: readonly ParamFault[]
}

/** Converts checked parameters to a request. */
export function seriesRequest(resource: Resource, values: Readonly<Record<string, unknown>>): SeriesRequest {
  const key = keyFilterOf(resource) ?? ''
  return {
    interval: values.interval as Interval,
    tz: values.tz as string,
    groupBy: values.group_by as Grouping | null,
    limit: values.limit as number,
    owner: values.owner as string | undefined,
    makerId: values.maker_id as string | undefined,
    hotspotKeys: values[key] as readonly string[] | undefined,
    ...(values.median === true && { median: true }),
  }
}
