import { type Part, PartsWriter } from '../index/container.ts'
import type { KeyAmounts, KeyAmountsReader } from '../lake/key-amounts-reader.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { type Column, MOST_COLUMNS, packColumn, renumber } from './column.ts'
import { mergeOrders, orderOfKeys, writeOrder } from './key-order.ts'
import { type ColumnPart, type Contents, KEYS_IN_PART, MAGIC, type MonthFile } from './month-file.ts'
import { Sums } from './sums.ts'
import type { WantedColumn, WantedMonth } from './wanted.ts'

interface Asked {
  readonly table: TableSnapshot
  readonly wanted: WantedMonth
  readonly reader: KeyAmountsReader
  readonly signal: AbortSignal | undefined
}

/** Writes the file of a month, with what still fits of an older one. Errors: DamagedFile; those of the reader. */
export async function writeMonth(path: string, base: MonthFile | undefined, asked: Asked): Promise<void> {
  const { wanted, signal } = asked
  const arriving = await readMissing(base, asked)
  const merged = mergeOrders(base?.order() ?? (await orderOfKeys([])), await orderOfKeys(arriving.keys))
  const { keys: hotspots, ofFirst, ofSecond } = merged
  const groups = arriving.groups[Symbol.asyncIterator]()
  const totals = new Map<string, Sums>()
  const writer = await PartsWriter.create(path, MAGIC)
  const write = async (type: string, column: Column): Promise<ColumnPart> => {
    const { width, exceptions, bytes } = column
    await writer.flush()
    return { type, width, exceptions, ...writer.append(bytes) }
  }

  async function columnOf(own: WantedColumn): Promise<Column> {
    const part = base?.columnOf(own)
    if (base !== undefined && part !== undefined) return renumber(base.read(part), hotspots, ofFirst)
    const next = await groups.next()
    if (next.done === true) throw new Error(`the reader gave no amounts of ${own.type} at ${own.period}`)
    const { places, amounts } = next.value
    const sums = new Array<bigint | undefined>(hotspots).fill(undefined)
    for (const [row, place] of places.entries()) {
      const number = ofSecond[place] ?? 0
      sums[number] = (sums[number] ?? 0n) + (amounts[row] ?? 0n)
    }
    return packColumn(sums)
  }

  try {
    const keys = writeKeys(writer, keysInOrder(base, arriving.keys, merged))
    const columns: Contents['columns'][number][] = []
    for (const own of wanted.columns) {
      signal?.throwIfAborted()
      const column = await columnOf(own)
      const sums = totals.get(own.type) ?? new Sums(hotspots)
      totals.set(own.type, sums)
      sums.add(column)
      columns.push({ ...(await write(own.type, column)), digest: own.digest, period: `${own.period}` })
    }
    await groups.return?.()
    const totalParts: ColumnPart[] = []
    for (const [type, sums] of totals) {
      // More of them cannot be added exactly.
      if (columns.filter((column) => column.type === type).length > MOST_COLUMNS) continue
      totalParts.push(await write(type, packColumn(sums.all())))
    }
    const contents: Contents = {
      ...{ month: wanted.month, hotspots, keys },
      ...{ columns, totals: totalParts, order: writer.append(writeOrder(merged)) },
    }
    await writer.finish(JSON.stringify(contents))
  } catch (error) {
    await writer.close().catch(() => {})
    throw error
  }
}

async function readMissing(
  base: MonthFile | undefined,
  { table, wanted, reader }: Asked,
): Promise<KeyAmounts> {
  const missing = wanted.columns.filter((own) => base?.columnOf(own) === undefined)
  if (missing.length === 0) return { keys: [], groups: nothing() }
  const { resource } = table
  const files = [...new Set(missing.flatMap((own) => own.files))]
  const { keyed: key = '', earned: of = [] } = resource
  return await reader.readKeyAmounts(resource, { key, of, files, groups: missing })
}

/** All keys by their numbers. */
function keysInOrder(
  base: MonthFile | undefined,
  arriving: readonly string[],
  { keys, ofFirst, ofSecond }: ReturnType<typeof mergeOrders>,
): readonly string[] {
  const all = new Array<string>(keys).fill('')
  const known = base?.keysOf(Array.from(ofFirst, (_, place) => place)) ?? []
  for (const [place, key] of known.entries()) all[ofFirst[place] ?? 0] = key
  for (const [place, key] of arriving.entries()) all[ofSecond[place] ?? 0] = key
  return all
}

function writeKeys(writer: PartsWriter, keys: readonly string[]): readonly Part[] {
  const parts: Part[] = []
  for (let first = 0; first < keys.length; first += KEYS_IN_PART) {
    const text = keys.slice(first, first + KEYS_IN_PART)
    if (text.some((key) => key.includes('\n'))) throw new Error('the key of a hotspot has a line feed')
    parts.push(writer.append(Buffer.from(`${text.join('\n')}\n`)))
  }
  return parts
}

async function* nothing(): AsyncGenerator<never> {}
