import type { Random } from '../../../src/write/sample/random.ts'
import { secondsText } from '../instants.ts'
import { shuffled } from '../network/draw.ts'
import type { Query } from './ask.ts'
import type { ListOperation } from './operations.ts'
import type { ExactRecord } from './records.ts'

/** Values of filters, drawn from the records that they are to find. */

const locationOf = (info: string) => (record: ExactRecord) => (record[info] as ExactRecord).location ?? null

const readers: Readonly<Record<string, (record: ExactRecord) => unknown>> = {
  networks: ({ networks }) => (networks as readonly string[]).join(','),
  maker_id: ({ maker }) => (maker as ExactRecord | null)?.id ?? null,
  iot_location: locationOf('iot_info'),
  mobile_location: locationOf('mobile_info'),
  // A range from the very second to the same one is refused as empty.
  from: ({ time }) => secondsText((time as bigint) - 1n),
  to: ({ time }) => secondsText(time as bigint),
}

/** The value by which a filter finds a record; null when it finds it by none. */
export function filterText(filter: string, record: ExactRecord): string | null {
  const value = readers[filter]?.(record) ?? record[filter] ?? null
  return value === null ? null : String(value)
}

const nobodys: Query = {
  location_hex: '88c6ac0911fffff',
  block: '9007199254740993',
  maker_id: '00000000-0000-4000-8000-000000000000',
  iot_location: '599686042433355775',
  mobile_location: '599686042433355775',
  from: '9999-12-31T23:59:59Z',
  to: '1970-01-01T00:00:01Z',
  // Closed sets: every name that is accepted is somebody's, and a blank is no filter.
  networks: 'mobile',
  type: ' ',
  actor_role: ' ',
  mode: ' ',
}

/** A value of the right form that no record has, of a closed set one that some have. */
export function nobodysValue(filter: string): string {
  return nobodys[filter] ?? '1nobody'
}

/** All values of a filter that records have, those that find most of them first. */
export function valuesByCount(
  { records }: ListOperation,
  filter: string,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const record of records) {
    const value = filterText(filter, record)
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}

/** Whether a query is one that is answered: its range, if it has one, is not empty. */
function isRange({ from, to }: Query): boolean {
  return from === undefined || to === undefined || Date.parse(from) < Date.parse(to)
}

/** Some records, spread evenly. */
export function spread(records: readonly ExactRecord[], count: number): readonly ExactRecord[] {
  const step = Math.max(1, Math.floor(records.length / count))
  return records.filter((_, index) => index % step === Math.floor(step / 2)).slice(0, count)
}

/** Values of two filters: of one record, of two different ones, the most frequent ones, and those that nobody has. */
export function pairsOf(operation: ListOperation, first: string, second: string): readonly Query[] {
  const holders = operation.records.filter(
    (record) => filterText(first, record) !== null && filterText(second, record) !== null,
  )
  const drawn = spread(holders, 3)
  const pairs = [
    ...drawn.map((record) => [filterText(first, record), filterText(second, record)]),
    ...drawn
      .slice(1)
      .map((record, index) => [filterText(first, drawn[index] as ExactRecord), filterText(second, record)]),
    [valuesByCount(operation, first)[0]?.[0], valuesByCount(operation, second)[0]?.[0]],
    [valuesByCount(operation, first)[0]?.[0], nobodysValue(second)],
    [nobodysValue(first), valuesByCount(operation, second)[0]?.[0]],
    [valuesByCount(operation, first).at(-1)?.[0], ' '],
  ]
  return pairs.map(([a, b]): Query => ({ [first]: String(a), [second]: String(b) })).filter(isRange)
}

/** One to four filters at once; most have values of one record, some of another one, and a few nobody's. */
export function drawQuery(operation: ListOperation, random: Random): Query {
  const names = shuffled(Object.keys(operation.filters), random).slice(0, 1 + random.below(4))
  const draw = () => operation.records[random.below(operation.records.length)] as ExactRecord
  const one = draw()
  const values = names.flatMap((name): readonly (readonly [string, string])[] => {
    if (random.chance(0.03)) return [[name, nobodysValue(name)]]
    const record = random.chance(0.15) ? draw() : one
    const value = name === 'from' || name === 'to' ? awayFrom(name, record, random) : filterText(name, record)
    return value === null ? [] : [[name, value]]
  })
  const query = Object.fromEntries(values)
  return isRange(query) ? query : {}
}

/** A time that is up to two years before a record, or after it, often only seconds. */
function awayFrom(name: 'from' | 'to', { time }: ExactRecord, random: Random): string {
  const away = BigInt(random.below(random.chance(0.5) ? 200 : 63_000_000))
  const seconds = name === 'from' ? (time as bigint) - 1n - away : (time as bigint) + away
  return secondsText(seconds)
}
