import type { Value } from '../../catalog/column.ts'
import { slotOf } from './column-readers.ts'
import type { ColumnField, WireFields } from './field.ts'
import { type AbsentValue, fieldKinds } from './field-kinds.ts'

/** Value of a column whose field is absent on the wire. */
export interface Absent {
  readonly slot: number
  readonly value: AbsentValue
}

/** Returns the absent values of a message's columns and groups, without its variants. */
export function absentValues(fields: WireFields, slots: ReadonlyMap<string, number>): readonly Absent[] {
  return Object.values(fields).flatMap((field): readonly Absent[] => {
    if (field.as === 'variant') return []
    if (field.as === 'group') return absentValues(field.fields, slots)
    const value = (fieldKinds[field.as].absent as (field: ColumnField) => AbsentValue)(field)
    const absentValue: Absent = { slot: slotOf(slots, field.column), value }
    return field.as === 'nanoseconds'
      ? [absentValue, { slot: slotOf(slots, field.wholeColumn), value }]
      : [absentValue]
  })
}

export function applyAbsent(absent: readonly Absent[], values: Value[]): void {
  for (const { slot, value } of absent) values[slot] = typeof value === 'function' ? null : value
}

export function checkPresent(absent: readonly Absent[], values: readonly Value[]): void {
  for (const { slot, value } of absent) {
    if (typeof value === 'function' && values[slot] === null) value()
  }
}
