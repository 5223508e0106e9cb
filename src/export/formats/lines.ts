import { Constant, type FlatBatch, type FlatValue, type FlatValues } from './flat-batch.ts'

/** How a column is written in a line. */
export interface Cell {
  /** What stands before its value. */
  readonly before: string
  readonly none: string
  readonly write: (value: NonNullable<FlatValue>) => string
}

interface Varying extends Cell {
  readonly values: readonly FlatValue[]
}

/** The lines of a batch. What all of them have in common is written once and repeated. */
export function linesOf(cells: readonly Cell[], end: string, { rows, columns }: FlatBatch): Buffer {
  const varying: Varying[] = []
  let common = ''
  for (const [index, { before, none, write }] of cells.entries()) {
    const values = columns[index] as FlatValues
    common += before
    if (values instanceof Constant) common += values.value === null ? none : write(values.value)
    else {
      varying.push({ before: common, none, write, values })
      common = ''
    }
  }
  const last = common + end
  let lines = ''
  for (let row = 0; row < rows; row += 1) {
    for (const { before, none, write, values } of varying) {
      const value = values[row] as FlatValue
      lines += before
      lines += value === null ? none : write(value)
    }
    lines += last
  }
  return Buffer.from(lines)
}
