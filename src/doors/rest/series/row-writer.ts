import type { SeriesRows, SeriesStep } from '../../../answers/series/series-rows.ts'
import type { Whole } from '../../../base/values/exact-sums.ts'
import { quoteJson } from '../../../base/values/json-writer.ts'
import { multiplied, type TextBytes } from '../../../base/values/text-bytes.ts'
import { decimalsOf, USD_DECIMALS } from '../../../catalog/records/series-record.ts'
import type { Spelling } from '../../../catalog/records/spelling.ts'
import type { Resource } from '../../../catalog/resource.ts'

/** Constant text around a sum and its amount in whole tokens. */
interface SumTexts {
  readonly before: Uint8Array
  /** Undefined for a sum without an amount in tokens. */
  readonly between: Uint8Array | undefined
  /** The whole text for a sum of 0. */
  readonly zero: Uint8Array
}

const NULL = Buffer.from('null')
const QUOTE = Buffer.from('"')
const END = Buffer.from('}')
const NO_USD = Buffer.from('"0.0"}')

function sumTexts(name: string, isAmount: boolean, isKnown: boolean, integersAsText: boolean): SumTexts {
  const quote = integersAsText ? '"' : ''
  const before = `,${quoteJson(name)}:${quote}`
  const between = isAmount ? `${quote},${quoteJson(`formatted_${name}`)}:` : undefined
  const nothing = `${before}0${between === undefined ? quote : `${between}${isKnown ? '"0.0"' : 'null'}`}`
  return {
    before: Buffer.from(before),
    between: between === undefined ? undefined : Buffer.from(between),
    zero: Buffer.from(nothing),
  }
}

/** Returns a function that writes the row at an index, like the JSON of `seriesRecord` but without the record. */
export function rowWriter(
  { series }: Resource,
  { columns, order, names: groupNames }: SeriesRows,
  spelling: Spelling,
  integersAsText: boolean,
): (text: TextBytes, index: number) => void {
  const members = Object.entries(series?.sums ?? {})
  const names = [...members.map(([name, member]) => [name, typeof member === 'string'] as const), EARNED]
  const textsOf = (isKnown: boolean) =>
    names.map(([name, isAmount]) => sumTexts(name, isAmount, isKnown, integersAsText))
  const [withDecimals, withoutDecimals] = [textsOf(true), textsOf(false)]
  const heads = new Map<SeriesStep, Uint8Array>()
  const groups: Uint8Array[] = []
  const quoted = (name: string | null) => (name === null ? 'null' : quoteJson(spelling.choice(name)))

  function groupText(group: string | null): Uint8Array {
    const name = groupNames.get(group ?? '')
    return Buffer.from(`${quoted(group)},"name":${name === undefined ? 'null' : quoteJson(name)}`)
  }

  function headOf(step: SeriesStep): Uint8Array {
    let head = heads.get(step)
    if (head === undefined) {
      const start = step.start === null ? 'null' : quoteJson(step.start)
      head = Buffer.from(`{"start":${start},"token":${quoted(step.token)},"group":`)
      heads.set(step, head)
    }
    return head
  }

  function writeSum(text: TextBytes, value: Whole, texts: SumTexts, decimals: number | undefined): void {
    if (value === 0) {
      text.utf8(texts.zero)
      return
    }
    text.utf8(texts.before)
    text.whole(value)
    if (texts.between === undefined) {
      if (integersAsText) text.utf8(QUOTE)
      return
    }
    text.utf8(texts.between)
    if (decimals === undefined) text.utf8(NULL)
    else text.amount(value, decimals)
  }

  function writeUsd(text: TextBytes, row: number, earned: Whole): void {
    const rate = columns.onlyRateOf(row)
    const parts =
      typeof earned === 'number' && typeof rate === 'number' && earned >= 0
        ? multiplied(earned, rate)
        : undefined
    if (parts !== undefined) text.longAmount(...parts)
    else {
      const value = columns.usdOf(row)
      if (value === 0) {
        text.utf8(NO_USD)
        return
      }
      if (value === null) text.utf8(NULL)
      else text.amount(value, USD_DECIMALS)
    }
    text.utf8(END)
  }

  return (text, index) => {
    const row = order[index] ?? -1
    const step = columns.stepOf(row)
    const group = columns.groupOf(row)
    const decimals = decimalsOf(step.token)
    const texts = decimals === undefined ? withoutDecimals : withDecimals
    text.utf8(headOf(step))
    groups[group] ??= groupText(columns.nameOfGroup(group))
    text.utf8(groups[group])
    for (let member = 0; member < members.length; member += 1)
      writeSum(text, columns.sumOf(row, member), texts[member] as SumTexts, decimals)
    const earned = columns.earnedOf(row)
    writeSum(text, earned, texts[members.length] as SumTexts, decimals)
    text.utf8(USD)
    writeUsd(text, row, earned)
  }
}

const USD = Buffer.from(',"usd":')
const EARNED = ['earned', true] as const
