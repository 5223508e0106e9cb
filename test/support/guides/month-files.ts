import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readers } from '../export/read-files.ts'

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
]

export interface MonthFile {
  readonly file: string
  /** The month of its name, in the year of the sample. */
  readonly month: string
  /** The day that each row was paid for. */
  readonly days: readonly string[]
}

/** Files of a guide that are named after a month. Errors: Error for one whose rows have no day. */
export async function monthFiles(folder: string): Promise<readonly MonthFile[]> {
  const files = readdirSync(folder).flatMap((file) => {
    const [, name = '', format = ''] = /^(\w+)\.(csv|parquet|ndjson|arrow)$/.exec(file) ?? []
    return months.includes(name) ? [{ file, number: months.indexOf(name) + 1, format }] : []
  })
  return await Promise.all(
    files.map(async ({ file, number, format }) => {
      const rows = (await readers[format]?.(readFileSync(join(folder, file)))) ?? []
      const days = rows.map(({ day, paid_day, date }) => day ?? paid_day ?? date)
      if (rows.length === 0 || days.includes(undefined)) throw new Error(`${file} has no rows with a day`)
      return { file, month: `2025-${String(number).padStart(2, '0')}`, days: days.map(String) }
    }),
  )
}
