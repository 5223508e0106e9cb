import type { Kind, Value } from '../../../src/catalog/column.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import type { Predicate, SumsPlan } from '../../../src/query/plan.ts'
import { deriveSeed, openRandom } from '../../../src/sample/random.ts'
import { pick } from '../network/draw.ts'
import { allColumns, equals, positionAt, sumsPlan } from './plans.ts'

/** Manifest prices of some sources, at both ends of what is likely. */
export const prices: ReadonlyMap<string, bigint> = new Map([
  ['mobile_reward_share.1.gz', 7n],
  ['mobile_reward_share.2.gz', 2n ** 32n],
  ['mobile_reward_share.1738110600094.gz', 71_557n],
  ['a file that is not there.gz', 1n],
])

export const random = openRandom(deriveSeed('random plans'))
export const some = <T>(values: readonly T[]): readonly T[] => values.filter(() => random.chance(0.3))

const most: Partial<Readonly<Record<Kind, bigint>>> = { amount: 2n ** 64n - 1n }

/** Filters over values that rows have, their neighbours, and values that nobody has. */
export function randomWhere(resource: Resource, rows: readonly Row[]): readonly Predicate[] {
  return Array.from({ length: random.below(4) }, (): Predicate => {
    const column = pick(allColumns(resource), random)
    const kind = resource.columns[column]?.kind ?? 'text'
    const value = pick(rows, random)[column] ?? pick(rows, random)[column] ?? null
    if (value === null) return equals('source_file', 'nothing')
    if (kind === 'bytes') return equals(column, value)
    if (kind === 'texts') {
      const texts = pick([value as string[], [], ['nobody', ...(value as string[]).slice(1)]], random)
      return { column, match: 'anyOf', value: texts }
    }
    const match = pick(['equals', 'atLeast', 'atMost'] as const, random)
    return { column, match, value: neighbour(kind, value) }
  })
}

function neighbour(kind: Kind, value: NonNullable<Value>): NonNullable<Value> {
  const step = random.below(3) - 1
  if (typeof value === 'number') return value + step
  if (typeof value !== 'bigint') return value
  const near = value + BigInt(step)
  const top = most[kind] ?? 2n ** 63n - 1n
  return near < 0n ? 0n : near > top ? top : near
}

/** Positions of rows, or none. */
export function randomBounds(resource: Resource, rows: readonly Row[]) {
  const bound = () => positionAt(resource, pick(rows, random))
  return { ...(random.chance(0.2) && { after: bound() }), ...(random.chance(0.2) && { before: bound() }) }
}

const summed: readonly Kind[] = ['amount', 'whole', 'long']
const grouped: readonly Kind[] = ['text', 'choice', 'instant', 'uuid', 'boolean', 'integer']

const columnsOf = (resource: Resource, kinds: readonly Kind[]) =>
  Object.entries(resource.columns).flatMap(([name, { kind }]) => (kinds.includes(kind) ? [name] : []))

/** Sums over some columns by some groups; shares of the mobile network have offloaded bytes too. */
export function randomSums(resource: Resource, rows: readonly Row[]): SumsPlan {
  const columns = columnsOf(resource, summed)
  const kinds = resource.columns.dc_transfer_reward === undefined ? [] : ['offloaded_bytes' as const]
  const sums = [...some(columns), pick(columns, random)].map((column, index) => {
    const as =
      resource.columns[column]?.kind === 'amount' ? pick(['amount', ...kinds] as const, random) : 'amount'
    return [`sum_${index}`, { column, as }] as const
  })
  const groupBy = some(columnsOf(resource, grouped)).slice(0, 3)
  const where = randomWhere(resource, rows)
  return sumsPlan(resource, { where, sums: Object.fromEntries(sums), groupBy, prices })
}
