import type { Kind, Value } from '../catalog/column.ts'
import type { Resource, Row } from '../catalog/resource.ts'
import { scaledDecimal } from '../derive/decimal.ts'
import type { FlatColumn } from '../derive/flat-columns.ts'
import { offloadedBytes } from '../derive/offloaded-bytes.ts'
import type { RowFacts } from '../repository/manifests.ts'
import type { FlatBatch, FlatValue } from './formats/format.ts'

const DAY = 86_400_000_000n
/** Digits after the point of whole tokens and of prices, whatever the token. */
const SCALE = 8

/** Gives rows of a resource as flat batches of the columns. */
export function flattener(
  { keyed = '' }: Resource,
  columns: readonly FlatColumn[],
  facts: RowFacts,
): (rows: readonly Row[]) => FlatBatch {
  const readers = columns.map((column) => readerOf(column, keyed, facts))
  return (rows) => ({ rows: rows.length, columns: readers.map((read) => rows.map(read)) })
}

type Read = (row: Row) => FlatValue

function readerOf({ from, type }: FlatColumn, keyed: string, { idOf, manifestOf }: RowFacts): Read {
  const manifest = (row: Row) => manifestOf(String(row.source_file))
  switch (from.as) {
    case 'id':
      return idOf
    case 'column': {
      const flat = flatOf[type as Kind]
      return (row) => {
        const value = row[from.of] ?? null
        return value === null ? null : flat(value as never)
      }
    }
    case 'manifest':
      return (row) => manifest(row)[from.of]
    case 'day':
      return (row) => Number(((row.start_period as bigint) + (row.end_period as bigint)) / 2n / DAY)
    case 'price':
      return (row) => {
        const { price, tokenDecimals } = manifest(row)
        return inScale(price, tokenDecimals)
      }
    case 'sum':
      return amountOf(from.of, keyed)
    case 'tokens': {
      const amount = amountOf(from.of, keyed)
      return (row) => inScale(amount(row), manifest(row).tokenDecimals)
    }
    case 'usd': {
      const amount = amountOf(from.of, keyed)
      return (row) => {
        const { price, tokenDecimals } = manifest(row)
        const [tokens, usd] = [inScale(amount(row), tokenDecimals), inScale(price, tokenDecimals)]
        return tokens === null || usd === null ? null : tokens * usd
      }
    }
    case 'offloaded_bytes':
      return (row) => {
        const reward = (row[from.of] ?? null) as bigint | null
        const { price } = manifest(row)
        return reward === null || price === null ? null : offloadedBytes(reward, price)
      }
    default:
      throw new Error(`no row says what ${from.as} is`)
  }
}

/** One amount as it stands, or the sum of several; null in rows without the key that is paid. */
function amountOf(columns: readonly string[], keyed: string): (row: Row) => bigint | null {
  const [first = ''] = columns
  if (columns.length === 1) return (row) => (row[first] ?? null) as bigint | null
  return (row) => {
    if ((row[keyed] ?? null) === null) return null
    let sum = 0n
    for (const column of columns) sum += (row[column] ?? 0n) as bigint
    return sum
  }
}

const factors = Array.from({ length: SCALE + 1 }, (_, decimals) => 10n ** BigInt(SCALE - decimals))

/** Units with `decimals` digits after the point, in units of 10^-8. */
function inScale(units: bigint | null, decimals: number | null): bigint | null {
  const factor = decimals === null ? undefined : factors[decimals]
  return units === null || factor === undefined ? null : units * factor
}

const same = (value: FlatValue) => value

const flatOf: Readonly<Record<Kind, (value: never) => FlatValue>> = {
  text: same,
  choice: same,
  uuid: same,
  json: same,
  object: same,
  boolean: same,
  integer: same,
  amount: same,
  long: same,
  whole: same,
  seconds: same,
  cell: same,
  instant: same,
  decimal: (value: string) => scaledDecimal(value),
  bytes: (value: Uint8Array) => Buffer.from(value).toString('base64'),
  texts: (value: readonly Value[]) => JSON.stringify(value),
}
