import type { Value } from '../catalog/column.ts'
import { emptyKey, slotOf } from './column-readers.ts'
import type { ColumnField, Fields } from './field.ts'

/** The value of a slot whose field the wire leaves out; a function throws, since the field must be there. */
export interface Absent {
  readonly slot: number
  readonly value: Value | (() => never)
}

/** What proto3 means by leaving a field out. */
const absences: {
  readonly [A in ColumnField['as']]: (field: Extract<ColumnField, { as: A }>) => Absent['value']
} = {
  seconds: () => 0n,
  optionalSeconds: () => null,
  milliseconds: () => 0n,
  nanoseconds: () => 0n,
  amount: () => 0n,
  long: () => 0n,
  uint32: () => 0n,
  int32: () => 0,
  sint32: () => 0,
  text: () => '',
  bytes: () => new Uint8Array(0),
  optionalBytes: () => null,
  key: (field) => () => emptyKey(field.column),
  choice: (field) => field.choices[0] ?? '0',
  decimal: () => '0',
}

/** Absent values of a message's own columns and of its groups, not of its variants. */
export function absentValues(fields: Fields, slots: ReadonlyMap<string, number>): readonly Absent[] {
  return Object.values(fields).flatMap((field): readonly Absent[] => {
    if (field.as === 'variant') return []
    if (field.as === 'group') return absentValues(field.fields, slots)
    const value = (absences[field.as] as (field: ColumnField) => Absent['value'])(field)
    const own: Absent = { slot: slotOf(slots, field.column), value }
    return field.as === 'nanoseconds' ? [own, { slot: slotOf(slots, field.wholeColumn), value }] : [own]
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
