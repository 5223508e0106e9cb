import type { Kind, Value } from '../../../src/catalog/column.ts'
import type { Predicate, SumsPlan } from '../../../src/catalog/query/plan.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { pick } from '../network/draw.ts'
import { allColumns, anyOf, equals, positionAt, sumsPlan } from './plans.ts'

/** Manifest prices of some sources, at both ends of what is likely. */
export const prices: ReadonlyMap<string, bigint> = new Map([
  ['mobile_reward_share.1.gz', 7n],
  ['mobile_reward_share.2.gz', 2n ** 32n],
  ['mobile_reward_share.1738110600094.gz', 71_557n],
  ['a file that is not there.gz', 1n],
])

const most: Partial<Readonly<Record<Kind, bigint>>> = { amount: 2n ** 64n - 1n }
const summed: readonly Kind[] = ['amount', 'whole', 'long']
const grouped: readonly Kind[] = ['text', 'choice', 'instant', 'uuid', 'boolean', 'integer']

/** Plans over a table with these rows; the same seed always draws the same ones. */
export function openPlans(resource: Resource, rows: readonly Row[], seed: string) {
  const random = openRandom(deriveSeed(seed, resource.name))
  const some = <T>(values: readonly T[]): readonly T[] => values.filter(() => random.chance(0.3))
  const columnsOf = (kinds: readonly Kind[]) =>
    Object.entries(resource.columns).flatMap(([name, { kind }]) => (kinds.includes(kind) ? [name] : []))

  /** Filters over values that rows have, their neighbours, and values that nobody has. */
  const where = (): readonly Predicate[] => Array.from({ length: pick([0, 1, 1, 2, 3], random) }, predicate)

  function predicate(): Predicate {
    const column = pick(allColumns(resource), random)
    const kind = resource.columns[column]?.kind ?? 'text'
    const value = pick(rows, random)[column] ?? pick(rows, random)[column] ?? null
    if (value === null) return equals('source_file', 'nothing')
    if (kind === 'bytes') return equals(column, value)
    if (kind === 'texts') {
      const texts = value as readonly string[]
      return anyOf(column, pick([texts, [], ['nobody', ...texts.slice(1)]], random))
    }
    const match = pick(['equals', 'atLeast', 'atMost'] as const, random)
    return { column, match, value: neighbour(kind, value) }
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
  function bounds() {
    const bound = () => positionAt(resource, pick(rows, random))
    return { ...(random.chance(0.2) && { after: bound() }), ...(random.chance(0.2) && { before: bound() }) }
  }

  /** Sums over some columns by some groups; shares of the mobile network have offloaded bytes too. */
  function sums(): SumsPlan {
    const columns = columnsOf(summed)
    const hasBytes = resource.columns.dc_transfer_reward !== undefined
    const drawn = [...some(columns), pick(columns, random)].map((column, index) => {
      const isBytes = hasBytes && resource.columns[column]?.kind === 'amount' && random.chance(0.5)
      return [`sum_${index}`, { column, as: isBytes ? 'offloaded_bytes' : 'amount' }] as const
    })
    const groupBy = some(columnsOf(grouped)).slice(0, 3)
    return sumsPlan(resource, { where: where(), sums: Object.fromEntries(drawn), groupBy, prices })
  }

  return { random, some, where, bounds, sums }
}
