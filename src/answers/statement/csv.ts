import { STORED_SCALE } from '../../base/values/decimal.ts'
import { spreadsheetOf } from '../export/formats/csv.ts'
import { cellWriter } from '../export/formats/lines.ts'
import { decimalOf, valueTypeOf } from '../export/formats/value-types.ts'
import { type RewardFacts, type RewardRow, VALUE_SCALE } from './reward-facts.ts'

/** The columns of `rewards-TOKEN.csv`; docs/guide/statements.md describes them. An unknown value is empty. */
const columns = [
  ...['date', 'hotspot_key', 'hotspot_name', 'network', 'reward_type', 'earned', 'formatted_earned'],
  ...['oracle_price_usd', 'usd', 'epoch', 'source_file', 'account_address', 'block', 'transaction_hash'],
]
const valueColumns = ['currency', 'price', 'value']

/** Text of the cells of a line that its facts determine, with separators. */
interface SharedCells {
  readonly date: string
  readonly kind: string
  readonly price: string
  readonly source: string
}

/** A reward valued at the prices of a reader; null without a price. */
export interface OwnValue {
  readonly currency: string
  /** Units of 10^-18 of the currency for a whole token. */
  readonly price: bigint | null
  /** See `VALUE_SCALE`. */
  readonly value: bigint | null
}

/** Returns functions that write `rewards-TOKEN.csv` for spreadsheets, in the marks of a language if given. */
export function statementLines(locale: string | undefined, hasValues: boolean) {
  const { begin, separator, style } = spreadsheetOf(locale)
  const cells = (type: Parameters<typeof valueTypeOf>[0]['type']) => cellWriter(valueTypeOf({ type }), style)
  const [text, long, price] = [cells('text'), cells('long'), cells('price')]
  const [tokens, usdCell] = [cells('tokens'), cells('usd')]
  const [ownPrice, ownValue] = [
    cellWriter(decimalOf(STORED_SCALE), style),
    cellWriter(decimalOf(VALUE_SCALE), style),
  ]
  const joined = (...texts: readonly string[]) => texts.join(separator)
  // Rewards of one source, type and epoch share their facts.
  const shared = new WeakMap<RewardFacts, SharedCells>()

  function cellsOf(facts: RewardFacts): SharedCells {
    const earlier = shared.get(facts)
    if (earlier !== undefined) return earlier
    const { day, network, type, scaledPrice, epoch, source, account, block, transaction } = facts
    const around = (...texts: readonly string[]) => joined('', ...texts, '')
    const computed = {
      date: joined(text(day), ''),
      kind: around(text(network), text(type)),
      price: around(price(scaledPrice)),
      source: joined('', long(epoch), text(source), text(account), long(block), text(transaction)),
    }
    shared.set(facts, computed)
    return computed
  }

  return {
    header: `${begin}${joined(...columns, ...(hasValues ? valueColumns : []))}\n`,
    /** The cells of a hotspot; an empty key is a missing one. */
    hotspotCells: (key: string, name: string | null) => joined(text(key === '' ? null : key), text(name)),
    /** A line. `hotspot` are the cells of its hotspot, and `usd` units of 10^-16 USD. */
    line(
      { facts, earned }: RewardRow,
      hotspot: string,
      usd: bigint | null,
      own: OwnValue | undefined,
    ): string {
      const { date, kind, price, source } = cellsOf(facts)
      const amount = tokens(facts.unit === null ? null : earned * facts.unit)
      const valued = own && joined('', own.currency, ownPrice(own.price), ownValue(own.value))
      return `${date}${hotspot}${kind}${earned}${separator}${amount}${price}${usdCell(usd)}${source}${valued ?? ''}\n`
    },
  }
}
