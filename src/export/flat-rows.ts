import type { Kind, Value } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'
import { scaledDecimal } from '../derive/decimal.ts'
import { DAY_MICROS } from '../derive/epoch-day.ts'
import type { FlatColumn } from '../derive/flat-columns.ts'
import { offloadedBytes } from '../derive/offloaded-bytes.ts'
import type { ListBatch } from '../repository/group-rows.ts'
import type { ManifestValues, RowFacts } from '../repository/manifests.ts'
import { Constant, type FlatBatch, type FlatValue, type FlatValues, valueAt } from './formats/flat-batch.ts'

/** Digits after the point of whole tokens and of prices, whatever the token. */
const SCALE = 8

/** Gives rows of a resource as flat batches of the columns. */
export function flattener(
  { keyed = '' }: Resource,
  columns: readonly FlatColumn[],
  facts: RowFacts,
): (batch: ListBatch) => FlatBatch {
  const readers = columns.map((column) => readerOf(column, keyed, facts))
  return (batch) => ({ rows: batch.rows, columns: readers.map((read) => read(batch)) })
}

type Read = (batch: ListBatch) => FlatValues

function readerOf({ from, type }: FlatColumn, keyed: string, { idOf, manifestOf }: RowFacts): Read {
  const manifest = (read: (facts: ManifestValues) => FlatValue): Read => {
    return (batch) => mapped(stored(batch, 'source_file'), (file) => read(manifestOf(String(file))))
  }
  const scaled = (of: readonly string[]): Read => {
    const [amount, decimals] = [amountOf(of, keyed), manifest((facts) => facts.tokenDecimals)]
    return (batch) => zipped(batch, amount(batch), decimals(batch), inScale)
  }
  const price = manifest((facts) => inScale(facts.price, facts.tokenDecimals))
  switch (from.as) {
    case 'id':
      return (batch) => idsOf(batch, idOf)
    case 'column': {
      const flat = flatOf[type as Kind]
      const isSame = flat === same
      return (batch) => {
        const values = stored(batch, from.of)
        if (isSame) return values as FlatValues
        return mapped(values, (value) => (value === null ? null : flat(value as never)))
      }
    }
    case 'manifest':
      return manifest((facts) => facts[from.of])
    case 'day':
      return (batch) =>
        zipped(batch, stored(batch, 'start_period'), stored(batch, 'end_period'), (start, end) =>
          Number(((start as bigint) + (end as bigint)) / 2n / DAY_MICROS),
        )
    case 'price':
      return price
    case 'sum':
      return amountOf(from.of, keyed)
    case 'tokens':
      return scaled(from.of)
    case 'usd': {
      const tokens = scaled(from.of)
      return (batch) =>
        zipped(batch, tokens(batch), price(batch), (amount, usd) =>
          amount === null || usd === null ? null : (amount as bigint) * (usd as bigint),
        )
    }
    case 'offloaded_bytes': {
      const prices = manifest((facts) => facts.price)
      return (batch) =>
        zipped(batch, stored(batch, from.of), prices(batch), (reward, usd) =>
          reward === null || usd === null ? null : offloadedBytes(reward as bigint, usd as bigint),
        )
    }
    default:
      throw new Error(`no row says what ${from.as} is`)
  }
}

/** The values of a column, or the one that all rows have. */
function stored({ shared, columns }: ListBatch, name: string): readonly Value[] | Constant<Value> {
  const values = columns[name]
  if (values === undefined) return new Constant(shared[name] ?? null)
  // Columns of other variants are null from the first row to the last.
  return values[0] === null && values.every((value) => value === null) ? nothing : values
}

const nothing = new Constant(null)

function mapped<From, To>(values: readonly From[] | Constant<From>, to: (value: From) => To) {
  return values instanceof Constant ? new Constant(to(values.value)) : values.map(to)
}

type Values<T> = readonly T[] | Constant<T>

function zipped<A, B, To>(
  { rows }: ListBatch,
  a: Values<A>,
  b: Values<B>,
  to: (a: A, b: B) => To,
): Values<To> {
  if (b instanceof Constant) return mapped(a, (one) => to(one, b.value))
  if (a instanceof Constant) return mapped(b, (other) => to(a.value, other))
  return Array.from({ length: rows }, (_, row) => to(a[row] as A, b[row] as B))
}

function idsOf({ rows, shared, columns }: ListBatch, idOf: RowFacts['idOf']): FlatValues {
  const row: Record<string, Value> = { ...shared }
  const names = Object.keys(columns)
  return Array.from({ length: rows }, (_, index) => {
    for (const name of names) row[name] = columns[name]?.[index] ?? null
    return idOf(row)
  })
}

/** One amount as it stands, or the sum of several; null in rows without the key that is paid. */
function amountOf(names: readonly string[], keyed: string): Read {
  const [first = ''] = names
  if (names.length === 1) return (batch) => stored(batch, first) as FlatValues
  return (batch) => {
    const key = stored(batch, keyed)
    if (key instanceof Constant && key.value === null) return nothing
    const amounts = names.map((name) => stored(batch, name))
    return Array.from({ length: batch.rows }, (_, row) => {
      if (valueAt(key, row) === null) return null
      let sum = 0n
      for (const values of amounts) sum += (valueAt(values, row) ?? 0n) as bigint
      return sum
    })
  }
}

const factors = Array.from({ length: SCALE + 1 }, (_, decimals) => 10n ** BigInt(SCALE - decimals))

/** Units with `decimals` digits after the point, in units of 10^-8. */
function inScale(units: FlatValue, decimals: FlatValue): bigint | null {
  const factor = decimals === null ? undefined : factors[decimals as number]
  return units === null || factor === undefined ? null : (units as bigint) * factor
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
