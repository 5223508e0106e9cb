import { itemAt } from '../../../base/values/item-at.ts'
import { Constant } from '../../../base/values/vector.ts'
import type { FlatBatch, FlatValue } from './flat-batch.ts'
import { bytesOf, copyBytes, Pen, type PenStyle } from './pens.ts'
import { textOf } from './text-of.ts'
import type { ValueType } from './value-types.ts'

export interface LineCell {
  /** Text in front of its value. */
  readonly before: string
  readonly type: ValueType
  readonly style: PenStyle
}

/** Writes the lines of a batch. Text common to all lines is copied once and repeated. */
export function linesOf(cells: readonly LineCell[], end: string, { rows, columns }: FlatBatch): Buffer {
  const varying: { readonly before: Uint8Array; readonly pen: Pen }[] = []
  let common = ''
  for (const [index, { before, type, style }] of cells.entries()) {
    const values = itemAt(columns, index)
    common += before
    if (values instanceof Constant) common += constantText(values.value, type, style)
    else {
      varying.push({ before: bytesOf(common), pen: new Pen(type, values, style) })
      common = ''
    }
  }
  const last = bytesOf(common + end)
  const most = varying.reduce((sum, { before, pen }) => sum + before.length + pen.most, last.length)
  const texts = varying.reduce((sum, { pen }) => sum + pen.textBytes, 0)
  const out = Buffer.allocUnsafeSlow(rows * most + texts)
  let at = 0
  for (let row = 0; row < rows; row += 1) {
    for (let index = 0; index < varying.length; index += 1) {
      const { before, pen } = varying[index] as (typeof varying)[number]
      at = pen.write(out, copyBytes(before, out, at), row)
    }
    at = copyBytes(last, out, at)
  }
  return out.subarray(0, at)
}

function constantText(value: FlatValue, type: ValueType, { none, isQuoted, escapes }: PenStyle): string {
  if (value === null) return none
  const text = type.as === 'text' ? escapes.write(String(value)) : textOf(type)(value)
  return isQuoted ? `"${text}"` : text
}
