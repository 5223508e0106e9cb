import { writeInstant } from '../../base/values/instant.ts'
import { byStorage } from '../../catalog/by-storage.ts'
import type { Statement } from '../sql/compile.ts'
import type { BoundValue } from '../sql/compile-where.ts'

/** Literals by kind, with the exact column type, which file pruning needs. */
const literals: Readonly<Record<BoundValue['kind'], (value: never) => string>> = {
  ...byStorage<(value: never) => string>({
    text: quoted,
    amount: amountOf,
    long: bigintOf,
    integer: (value: number) => `INTEGER '${value}'`,
    decimal: (value: string) => `CAST(${quoted(value)} AS DECIMAL(38,18))`,
    instant: instantOf,
    boolean: (value: boolean) => String(value),
    bytes: (value: Uint8Array) => `X'${Buffer.from(value).toString('hex')}'`,
    texts: textsOf,
  }),
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
 * Replaces the placeholders `$1` and `$1*` (list items) by literals, since Trino takes text only. Placeholders inside
 * values are not replaced.
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

/** ASCII literal; a lone surrogate becomes the replacement character. */
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

/** Columns have milliseconds. A more precise literal compares exactly, and skips no file. */
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

/** NULL matches nothing, like an empty list. */
function itemsOf(values: readonly string[]): string {
  return values.length === 0 ? 'CAST(NULL AS VARCHAR)' : values.map(quoted).join(', ')
}
