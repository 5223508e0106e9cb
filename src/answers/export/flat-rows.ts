import { scaledDecimal } from '../../base/values/decimal.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import { Constant, Longs, type Vector } from '../../base/values/vector.ts'
import type { Kind, Value } from '../../catalog/column.ts'
import { type FlatColumn, hasUsd } from '../../catalog/records/flat-columns.ts'
import { offloadedBytes } from '../../catalog/records/offloaded-bytes.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { ManifestValues, RowFacts } from '../records/manifests.ts'
import type { ListBatch } from '../rows/group-rows.ts'
import type { FlatBatch, FlatValue, FlatValues } from './formats/flat-batch.ts'
import { typed, widesOf } from './formats/typed.ts'
import { idsOf } from './ids.ts'
import { multiplyWides, sumWides } from './wide-arithmetic.ts'

/** Digits after the point of whole tokens and of prices, whatever the token. */
const SCALE = 8

/** Returns a function that converts rows of a resource to flat batches. */
export function flattener(
  resource: Resource,
  columns: readonly FlatColumn[],
  facts: RowFacts,
): (batch: ListBatch) => FlatBatch {
  const earned = remembering(amountOf(resource.earned ?? [], resource.keyed ?? ''))
  const readers = columns.map((column) => readerOf(column, resource, facts, earned))
  return (batch) => ({ rows: batch.rows, columns: readers.map((read) => read(batch)) })
}

type Values<T> = Vector<T> | Constant<T | null>
type Read<T = FlatValue> = (batch: ListBatch) => Values<T>

/** Caches the last batch: several columns share the sum of the earnings. */
function remembering<T>(read: Read<T>): Read<T> {
  let [batch, values]: [ListBatch?, Values<T>?] = []
  return (next) => {
    if (values === undefined || next !== batch) [batch, values] = [next, read(next)]
    return values
  }
}

function readerOf(
  { from, type }: FlatColumn,
  resource: Resource,
  facts: RowFacts,
  earned: Read<bigint>,
): Read {
  const amountsOf = (of: readonly string[]) =>
    of === resource.earned ? earned : amountOf(of, resource.keyed ?? '')
  const manifest = <T>(read: (values: ManifestValues) => T | null): Read<T> => {
    return (batch) => mapped(stored(batch, 'source_file'), (file) => read(facts.manifestOf(String(file))))
  }
  const decimals = manifest(({ tokenDecimals }) => tokenDecimals)
  switch (from.as) {
    case 'id':
      return (batch) => idsOf(batch, resource, facts.idOf)
    case 'column': {
      const flat = flatOf[type as Kind]
      if (flat === undefined) return (batch) => stored(batch, from.of) as FlatValues
      return (batch) => mapped(stored(batch, from.of), (value) => flat(value as never))
    }
    case 'manifest':
      return manifest((values) => values[from.of])
    case 'day':
      return (batch) =>
        zipped(batch, bigints(batch, 'start_period'), bigints(batch, 'end_period'), (start, end) =>
          Number((start + end) / 2n / DAY_MICROS),
        )
    case 'price':
      return manifest(({ price, tokenDecimals }) => inScale(price, tokenDecimals))
    case 'sum':
      return amountsOf(from.of)
    case 'tokens': {
      const amount = amountsOf(from.of)
      return (batch) => times(batch, amount(batch), mapped(decimals(batch), factorOf))
    }
    case 'usd': {
      const amount = amountsOf(from.of)
      const price = manifest(({ price: units, tokenDecimals }) => {
        const factor = factorOf(tokenDecimals)
        return units === null || factor === null || !hasUsd(units) ? null : units * factor * factor
      })
      return (batch) => times(batch, amount(batch), price(batch))
    }
    case 'offloaded_bytes': {
      const prices = manifest(({ price }) => price)
      return (batch) => zipped(batch, bigints(batch, from.of), prices(batch), offloadedBytes)
    }
    default:
      throw new Error(`no row says what ${from.as} is`)
  }
}

/** The values of a column, or the shared value of all rows. */
function stored({ shared, columns }: ListBatch, name: string): Values<Value> {
  const values = columns[name]
  if (values === undefined) return new Constant(shared[name] ?? null)
  if (values instanceof Longs) return values.isConstant() ? new Constant(values.at(0)) : values
  // Columns of other variants are null in every row.
  return values.at(0) === null && isNothing(values) ? nothing : values
}

function isNothing(values: Vector<Value>): boolean {
  for (let row = 0; row < values.length; row += 1) if (values.at(row) !== null) return false
  return true
}

const nothing = new Constant(null)

/** The values of a column of amounts or times. */
function bigints(batch: ListBatch, name: string): Values<bigint> {
  return stored(batch, name) as Values<bigint>
}

/** A null stays null. */
function mapped<From, To>(values: Values<From>, to: (value: NonNullable<From>) => To | null): Values<To> {
  const convert = (value: From | null | undefined) =>
    value === null || value === undefined ? null : to(value)
  if (values instanceof Constant) return new Constant(convert(values.value))
  return Array.from({ length: values.length }, (_, row) => convert(values.at(row)))
}

function zipped<A, B, To>(
  { rows }: ListBatch,
  a: Values<A>,
  b: Values<B>,
  to: (a: NonNullable<A>, b: NonNullable<B>) => To,
): Values<To> {
  const convert = (left: A | null | undefined, right: B | null | undefined) =>
    left === null || left === undefined || right === null || right === undefined ? null : to(left, right)
  if (b instanceof Constant) return mapped(a, (left) => convert(left, b.value))
  if (a instanceof Constant) return mapped(b, (right) => convert(a.value, right))
  return Array.from({ length: rows }, (_, row) => convert(a.at(row), b.at(row)))
}

/** Multiplies amounts by factors; a shared factor allocates no object per row. */
function times(batch: ListBatch, amounts: Values<bigint>, factors: Values<bigint>): Values<bigint> {
  if (amounts instanceof Constant || !(factors instanceof Constant) || factors.value === null)
    return zipped(batch, amounts, factors, (amount, factor) => amount * factor)
  return multiplyWides(widesOf(amounts), factors.value)
}

/** One amount, or the sum of several; null in rows without a paid key. */
function amountOf(names: readonly string[], keyed: string): Read<bigint> {
  const [first = ''] = names
  if (names.length === 1) return (batch) => bigints(batch, first)
  return (batch) => {
    const key = stored(batch, keyed) as Values<string>
    if (key instanceof Constant && key.value === null) return nothing
    const amounts = names.map((name) => bigints(batch, name))
    const { rows } = batch
    const wides = amounts.flatMap((values) =>
      values instanceof Constant
        ? values.value === null
          ? []
          : widesOf(Array<bigint>(rows).fill(values.value))
        : widesOf(values),
    )
    return sumWides(wides, rows, key instanceof Constant ? undefined : typed({ as: 'text' }, key).valid)
  }
}

/** Factor that converts units of a token to units of 10^-8. */
function factorOf(decimals: number | null): bigint | null {
  return decimals === null || decimals > SCALE ? null : 10n ** BigInt(SCALE - decimals)
}

function inScale(units: bigint | null, decimals: number | null): bigint | null {
  const factor = factorOf(decimals)
  return units === null || factor === null ? null : units * factor
}

/** Conversions of kinds whose flat value differs. */
const flatOf: Readonly<Partial<Record<Kind, (value: never) => FlatValue>>> = {
  decimal: (value: string) => scaledDecimal(value),
  bytes: (value: Uint8Array) => Buffer.from(value).toString('base64'),
  texts: (value: readonly Value[]) => JSON.stringify(value),
}
