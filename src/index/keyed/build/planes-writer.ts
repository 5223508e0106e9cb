import { getOrMake } from '../../../base/maps.ts'
import { doubleAt, uint32At } from '../../../base/values/typed-at.ts'
import type { GroupKey } from '../../../lake/facts/group-series.ts'
import type { PartsWriter } from '../../blocks/container.ts'
import type { PlanePart } from '../key-file-contents.ts'
import { MOST_COLUMNS, MOST_NUMBER, type PlaneColumn, packColumn } from '../plane.ts'
import { Sums } from '../plane-sums.ts'
import type { RowsByKey } from './gather-rows.ts'

const WORD = 2 ** 32
/** Sums of halves below this stay exact in a double. */
const MOST_HALVES = 2 ** 52

/** Initial capacity. */
const FEWEST = 1024

/** The month of an epoch, `YYYY-MM`. A daily epoch ends when the next day begins. */
function monthOf(period: bigint): string {
  return new Date(Number((period - 1n) / 1000n)).toISOString().slice(0, 7)
}

/** Sums of one period and type by key number. Rows arrive in the order of keys. */
class GatheredSums {
  #keys = new Uint32Array(FEWEST)
  #lows = new Float64Array(FEWEST)
  #highs = new Float64Array(FEWEST)
  #count = 0

  /** Adds two sums of 32-bit halves, exactly. */
  add(key: number, low: number, high: number): void {
    const last = this.#count - 1
    if (last >= 0 && this.#keys[last] === key) {
      const [lows, highs] = [doubleAt(this.#lows, last), doubleAt(this.#highs, last)]
      if (Math.max(lows, highs) < MOST_HALVES) {
        this.#lows[last] = lows + low
        this.#highs[last] = highs + high
        return
      }
    }
    if (this.#count === this.#keys.length) this.#grow()
    this.#keys[this.#count] = key
    this.#lows[this.#count] = low
    this.#highs[this.#count] = high
    this.#count += 1
  }

  pack(keys: number): PlaneColumn {
    const numbers = new Float64Array(keys)
    const large = new Map<number, bigint>()
    for (let index = 0; index < this.#count; index += 1) {
      const key = uint32At(this.#keys, index)
      const [low, high] = [doubleAt(this.#lows, index), doubleAt(this.#highs, index)]
      const sum = high * WORD + low
      if (sum < MOST_NUMBER && numbers[key] === 0) numbers[key] = sum + 1
      else {
        const before = large.get(key) ?? BigInt(Math.max(0, doubleAt(numbers, key) - 1))
        large.set(key, before + (BigInt(high) << 32n) + BigInt(low))
        numbers[key] = Number.POSITIVE_INFINITY
      }
    }
    return packColumn({ numbers, large })
  }

  #grow(): void {
    const wider = <T extends Uint32Array | Float64Array>(items: T, into: T): T => {
      into.set(items)
      return into
    }
    const length = this.#count * 2
    this.#keys = wider(this.#keys, new Uint32Array(length))
    this.#lows = wider(this.#lows, new Float64Array(length))
    this.#highs = wider(this.#highs, new Float64Array(length))
  }
}

/** A summed column; -1 if its value is common to all rows of a group. */
export interface SummedColumn {
  readonly column: number
  commonOf(group: number): bigint
}

interface GatheredColumn extends Pick<GroupKey, 'period' | 'type'> {
  readonly sums: GatheredSums
}

/** Sums the earnings of each key by period and type. Rows arrive in the order of keys. */
export class PlanesWriter {
  readonly #columns: readonly GatheredColumn[]
  /** The sums that each group adds to. */
  readonly #sumsOf: readonly GatheredSums[]

  constructor(groups: readonly GroupKey[]) {
    const columns = new Map<string, GatheredColumn>()
    this.#sumsOf = groups.map(({ period, type }) => {
      const make = () => ({ period, type, sums: new GatheredSums() })
      return getOrMake(columns, `${period} ${type}`, make).sums
    })
    this.#columns = [...columns.values()]
  }

  add(rows: RowsByKey, row: number, amounts: readonly SummedColumn[]): void {
    const group = rows.groupOf(row)
    let [low, high] = [0, 0]
    for (const { column, commonOf } of amounts) {
      if (column >= 0) {
        low += rows.half(row, column, 0)
        high += rows.half(row, column, 1)
      } else {
        const amount = commonOf(group)
        low += Number(amount & 0xffffffffn)
        high += Number(amount >> 32n)
      }
    }
    this.#sumsOf[group]?.add(rows.keyOf(row), low, high)
  }

  /** Writes a plane for each period and type, and one for each month and type with several periods. */
  async finish(writer: PartsWriter, keys: number): Promise<readonly PlanePart[]> {
    const parts: PlanePart[] = []
    const totals = new Map<string, { sums: Sums; columns: number; month: string; type: string }>()
    const write = async (of: Pick<PlanePart, 'type' | 'period' | 'month'>, column: PlaneColumn) => {
      const { width, exceptions, bytes } = column
      parts.push({ ...of, width, exceptions, ...writer.append(bytes) })
      await writer.flush()
    }
    for (const { period, type, sums } of this.#columns) {
      const column = sums.pack(keys)
      const month = monthOf(period)
      await write({ period: `${period}`, type, month }, column)
      const name = `${month} ${type}`
      const total = totals.get(name) ?? { sums: new Sums(keys), columns: 0, month, type }
      totals.set(name, total)
      total.sums.add(column)
      total.columns += 1
    }
    // Doubles are exact for at most MOST_COLUMNS columns.
    for (const { sums, columns, month, type } of totals.values())
      if (columns > 1 && columns <= MOST_COLUMNS)
        await write({ period: null, type, month }, packColumn(sums.all()))
    return parts
  }
}
