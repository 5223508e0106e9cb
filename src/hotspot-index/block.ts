/**
 * The rows of one key as bytes, little-endian: length of the block (4), length of the key (4), the key, number of rows (4),
 * number of columns (1), bytes of a number in each column (1 each), then the columns one after the other. Column 0 is the
 * group of each row, the others are its amounts.
 */
export interface KeyRows {
  readonly key: string
  readonly columns: readonly BigUint64Array[]
}

/** Bytes of a number in a column of a block; none when all are 0. */
type Width = 0 | 2 | 4 | 8

interface Layout {
  readonly keyEnd: number
  readonly rows: number
  readonly widths: readonly Width[]
  /** Where each column begins. */
  readonly starts: readonly number[]
}

const KEY = 8

export function lengthOfBlock(block: Buffer, at = 0): number {
  return block.readUInt32LE(at)
}

export function keyOfBlock(block: Buffer): string {
  return block.toString('utf8', KEY, keyEndOf(block))
}

const keyEndOf = (block: Buffer) => KEY + block.readUInt32LE(4)

export function writeBlock({ key, columns }: KeyRows): Buffer {
  const block = allocate(Buffer.from(key), columns[0]?.length ?? 0, columns.map(widthOf))
  const layout = layoutOf(block)
  for (const [column, values] of columns.entries()) writeColumn(block, layout, column, 0, values)
  return block
}

/** A block with the rows of another one after its own. */
export function joinBlocks(first: Buffer, more: Buffer): Buffer {
  const [own, other] = [layoutOf(first), layoutOf(more)]
  const widths = own.widths.map((width, column) => Math.max(width, other.widths[column] ?? 0) as Width)
  const joined = allocate(first.subarray(KEY, own.keyEnd), own.rows + other.rows, widths)
  const layout = layoutOf(joined)
  for (const [block, part, firstRow] of [
    [first, own, 0],
    [more, other, own.rows],
  ] as const) {
    for (const [column, width] of widths.entries()) {
      const from = part.starts[column] ?? 0
      if (width !== part.widths[column]) {
        writeColumn(joined, layout, column, firstRow, readColumn(block, part, column))
      } else {
        block.copy(joined, (layout.starts[column] ?? 0) + firstRow * width, from, from + part.rows * width)
      }
    }
  }
  return joined
}

/**
 * Sums columns over the rows whose group is marked, and calls `visit` for each of them.
 * Shape: one sum for each of `columns`, which are columns of the block.
 */
export function sumBlock(
  block: Buffer,
  isIn: Uint8Array,
  columns: readonly number[],
  visit?: (group: number, amountOf: (column: number) => bigint) => void,
): readonly bigint[] {
  const { rows, widths, starts } = layoutOf(block)
  const view = new DataView(block.buffer, block.byteOffset, block.length)
  const sums = columns.map(() => 0n)
  const filled = columns.flatMap((column, index) => (widths[column] === 0 ? [] : [{ column, index }]))
  const numberAt = (row: number, column: number) => {
    const width = widths[column] ?? 0
    const place = (starts[column] ?? 0) + row * width
    if (width === 8) return view.getBigUint64(place, true)
    if (width === 0) return 0n
    return BigInt(width === 4 ? view.getUint32(place, true) : view.getUint16(place, true))
  }
  const groupAt = groupReader(view, widths[0] ?? 0, starts[0] ?? 0)
  for (let row = 0; row < rows; row += 1) {
    const group = groupAt(row)
    if (isIn[group] !== 1) continue
    for (const { column, index } of filled) sums[index] = (sums[index] ?? 0n) + numberAt(row, column)
    visit?.(group, (column) => numberAt(row, column))
  }
  return sums
}

/** Groups are few and read for every row, so they stay numbers. */
function groupReader(view: DataView, width: Width, start: number): (row: number) => number {
  if (width === 0) return () => 0
  return width === 2
    ? (row) => view.getUint16(start + row * 2, true)
    : (row) => view.getUint32(start + row * width, true)
}

function allocate(key: Uint8Array, rows: number, widths: readonly Width[]): Buffer {
  const head = KEY + key.length + 4 + 1 + widths.length
  const block = Buffer.alloc(head + rows * widths.reduce<number>((sum, width) => sum + width, 0))
  block.writeUInt32LE(block.length, 0)
  block.writeUInt32LE(key.length, 4)
  block.set(key, KEY)
  block.writeUInt32LE(rows, KEY + key.length)
  block.writeUInt8(widths.length, KEY + key.length + 4)
  block.set(widths, KEY + key.length + 5)
  return block
}

function layoutOf(block: Buffer): Layout {
  const keyEnd = keyEndOf(block)
  const rows = block.readUInt32LE(keyEnd)
  const widthsEnd = keyEnd + 5 + block.readUInt8(keyEnd + 4)
  const widths = [...block.subarray(keyEnd + 5, widthsEnd)] as Width[]
  let place = widthsEnd
  const starts = widths.map((width) => {
    const start = place
    place += rows * width
    return start
  })
  return { keyEnd, rows, widths, starts }
}

function widthOf(values: BigUint64Array): Width {
  let bits = 0n
  for (const value of values) bits |= value
  if (bits === 0n) return 0
  if (bits <= 0xffffn) return 2
  return bits <= 0xffff_ffffn ? 4 : 8
}

function readColumn(block: Buffer, { rows, widths, starts }: Layout, column: number): BigUint64Array {
  const [start, width] = [starts[column] ?? 0, widths[column] ?? 0]
  const values = new BigUint64Array(rows)
  const bytes = Buffer.from(values.buffer)
  for (let row = 0; row < rows; row += 1) {
    block.copy(bytes, row * 8, start + row * width, start + (row + 1) * width)
  }
  return values
}

function writeColumn(
  block: Buffer,
  { widths, starts }: Layout,
  column: number,
  firstRow: number,
  values: BigUint64Array,
): void {
  const [start, width] = [starts[column] ?? 0, widths[column] ?? 0]
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  for (let row = 0; row < values.length; row += 1) {
    // Little-endian: the first bytes of a number are its lowest.
    bytes.copy(block, start + (firstRow + row) * width, row * 8, row * 8 + width)
  }
}
