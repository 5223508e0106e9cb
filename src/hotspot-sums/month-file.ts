import { basename } from 'node:path'
import { DamagedFile, openParts, type Part } from '../index/container.ts'
import type { Column, ColumnShape } from './column.ts'
import { type KeyOrder, readOrder } from './key-order.ts'
import { columnName, sumsName, type WantedColumn } from './wanted.ts'

export const MAGIC = 'LLSUMS01'
export const KEYS_IN_PART = 128

export type ColumnPart = Part & ColumnShape & { readonly type: string }

/** What a file holds, and of what it was made. */
export interface Contents {
  readonly month: string
  readonly hotspots: number
  readonly keys: readonly Part[]
  readonly columns: readonly (ColumnPart & Pick<WantedColumn, 'digest'> & { readonly period: string })[]
  readonly totals: readonly ColumnPart[]
  readonly order: Part
}

/** An open file of sums. What is read is checked. Errors: DamagedFile. */
export interface MonthFile {
  readonly path: string
  readonly contents: Contents
  /** The column of a period and type, made of just these sources. */
  columnOf(wanted: WantedColumn): ColumnPart | undefined
  read(part: ColumnPart): Column
  order(): KeyOrder
  /** The keys of hotspots by their numbers. */
  keysOf(places: readonly number[]): readonly string[]
  close(): void
}

/** Errors: DamagedFile, also where its name is that of another one; Error when it cannot be read. */
export function openMonthFile(path: string): MonthFile {
  const file = openParts(path, MAGIC)
  const contents: Contents = JSON.parse(file.contents)
  if (basename(path) !== nameOf(contents)) {
    file.close()
    throw new DamagedFile(path)
  }
  const columns = new Map(
    contents.columns.map((part) => [columnName({ period: BigInt(part.period), type: part.type }), part]),
  )
  return {
    path,
    contents,
    columnOf(wanted) {
      const part = columns.get(columnName(wanted))
      return part?.digest === wanted.digest ? part : undefined
    },
    read: (part) => ({ width: part.width, exceptions: part.exceptions, bytes: file.read(part) }),
    order: () => readOrder(file.read(contents.order), contents.hotspots),
    keysOf(places) {
      const parts = new Map<number, readonly string[]>()
      return places.map((place) => {
        const number = Math.floor(place / KEYS_IN_PART)
        const own = parts.get(number) ?? readKeys(number)
        parts.set(number, own)
        return own[place % KEYS_IN_PART] ?? ''
      })
    },
    close: () => file.close(),
  }

  function readKeys(number: number): readonly string[] {
    const part = contents.keys[number]
    if (part === undefined) throw new DamagedFile(path)
    return file.read(part).toString().split('\n')
  }
}

/** The name that follows from what it was made of: two files with each other's name would answer for each other. */
function nameOf({ month, columns }: Contents): string {
  return sumsName(
    month,
    columns.map((column) => ({ ...column, period: BigInt(column.period) })),
  )
}
