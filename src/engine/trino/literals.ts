import { writeInstant } from '../../base/values/instant.ts'
import type { Statement } from '../sql/compile.ts'
import type { Bound } from '../sql/compile-where.ts'

/** How a value of each kind stands in a statement: of the exact type of its column, so that files are skipped by it. */
const literals: Readonly<Record<Bound['kind'], (value: never) => string>> = {
  text: quoted,
  choice: quoted,
  amount: amountOf,
  long: bigintOf,
  whole: bigintOf,
  integer: (value: number) => `INTEGER '${value}'`,
  decimal: (value: string) => `CAST(${quoted(value)} AS DECIMAL(38,18))`,
  instant: instantOf,
  seconds: bigintOf,
  cell: bigintOf,
  uuid: quoted,
  boolean: (value: boolean) => String(value),
  bytes: (value: Uint8Array) => `X'${Buffer.from(value).toString('hex')}'`,
  texts: textsOf,
  json: quoted,
  object: quoted,
  files: textsOf,
  names: textsOf,
  longs: (value: readonly bigint[]) => arrayOf('BIGINT', value.map(String)),
  amounts: (value: readonly bigint[]) =>
    arrayOf(
      'DECIMAL(20,0)',
      value.map((amount) => `DECIMAL '${amount}'`),
    ),
}

/**
 * The text of a statement with its values in the places `$1`, `$2` and so on, and the items of a list in `$1*`. Trino takes
 * statements as text alone, so values stand in it as literals; what a value holds is not looked at for places.
 */
export function withValues({ text, values }: Statement): string {
  return text.replace(/\$(\d+)(\*?)/g, (marker, number: string, star: string) => {
    const bound = values[Number(number) - 1]
    if (bound === undefined) throw new Error(`nothing is bound at ${marker}`)
    return star === ''
      ? literals[bound.kind](bound.value as never)
      : itemsOf(bound.value as readonly string[])
  })
}

/** In ASCII, whatever it holds; a half of a surrogate pair, which is no text, becomes the replacement character. */
function quoted(value: string): string {
  const text = Buffer.from(value).toString().replaceAll("'", "''")
  if (/^[ -~]*$/.test(text)) return `'${text}'`
  const escaped = text.replaceAll('\\', '\\\\').replace(/[^ -~]/gu, (character: string) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16)
    return hex.length > 4 ? `\\+${hex.padStart(6, '0')}` : `\\${hex.padStart(4, '0')}`
  })
  return `U&'${escaped}'`
}

function amountOf(value: bigint): string {
  return `CAST(DECIMAL '${value}' AS DECIMAL(20,0))`
}

function bigintOf(value: bigint): string {
  return `BIGINT '${value}'`
}

/** Columns have milliseconds. A literal of more digits is compared exactly too, but skips no file. */
function instantOf(value: bigint): string {
  const [date, time = ''] = writeInstant(value).slice(0, -1).split('T')
  return `TIMESTAMP '${date} ${time} UTC'`
}

function textsOf(values: readonly string[]): string {
  return arrayOf('VARCHAR', values.map(quoted))
}

function arrayOf(type: string, items: readonly string[]): string {
  return `CAST(ARRAY[${items.join(', ')}] AS ARRAY(${type}))`
}

/** Nothing is one of no items. */
function itemsOf(values: readonly string[]): string {
  return values.length === 0 ? 'CAST(NULL AS VARCHAR)' : values.map(quoted).join(', ')
}
