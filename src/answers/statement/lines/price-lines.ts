import { listWords } from '../../../base/list-words.ts'
import { quoted } from '../../../base/parameter-text.ts'
import { readDecimal, STORED_SCALE, scaledDecimal, storedDecimal } from '../../../base/values/decimal.ts'
import { mainToken, networkSymbols } from '../../../catalog/networks.ts'
import { isDay } from '../../../catalog/query/days.ts'
import { digestOf } from '../../../lake/disk/disk.ts'
import { cellsOfLines, refuseLines } from './line-faults.ts'

/** Prices that the reader of a statement gives, in one currency. */
export interface OwnPrices {
  readonly currency: string
  /** Name of their file. */
  readonly source: string
  readonly sha256: string
  readonly lines: number
  /** Units of 10^-18 of the currency for a whole token; undefined if the file has none. */
  priceOf(day: string, token: string): bigint | undefined
}

const HEADER = 'day,token,currency,price'
const symbols = [mainToken.symbol, ...networkSymbols]

/**
 * Reads lines of `day,token,currency,price`, with or without this header. Skips blank lines and lines with #.
 * Errors: `malformed_request` with the first invalid lines and the count of the rest.
 */
export function readPriceLines(text: string, source: string): OwnPrices {
  const faults: string[] = []
  const prices = new Map<string, { readonly price: bigint; readonly line: number }>()
  let first: { readonly currency: string; readonly line: number } | undefined
  for (const [line, cells] of cellsOfLines(text)) {
    if (first === undefined && cells.join().toLowerCase() === HEADER) continue
    const wrong = (what: string) => void faults.push(`Line ${line} of ${source} ${what}.`)
    const [day = '', symbol = '', currency = '', priceText = ''] = cells
    const token = symbol.toUpperCase()
    const price = readPrice(priceText)
    const key = `${day} ${token}`
    const earlier = prices.get(key)
    if (cells.length !== 4) wrong(`has ${cells.length} parts; write ${HEADER}, with a decimal point`)
    else if (!isDay(day)) wrong(`has the day ${quoted(day)}; write a day as in 2025-07-01`)
    else if (!symbols.includes(token))
      wrong(`has the token ${quoted(symbol)}; use ${listWords(symbols, 'or')}`)
    else if (!/^[A-Z]{3,5}$/.test(currency))
      wrong(`has the currency ${quoted(currency)}; write one such as EUR`)
    else if (first !== undefined && first.currency !== currency)
      wrong(`is in ${currency}, and line ${first.line} in ${first.currency}; use a file for each currency`)
    else if (price === undefined)
      wrong(
        `has the price ${quoted(priceText)}; write a decimal such as 2.4183, with at most ${STORED_SCALE} digits after the point`,
      )
    else if (earlier !== undefined) wrong(`has a price of ${token} on ${day}, as line ${earlier.line} does`)
    else prices.set(key, { price, line })
    first ??= { currency, line }
  }
  if (first === undefined) faults.push(`${source} has no lines; write one as ${HEADER}.`)
  refuseLines(faults)
  return {
    ...{ currency: first?.currency ?? '', source, sha256: digestOf(text), lines: prices.size },
    priceOf: (day, token) => prices.get(`${day} ${token}`)?.price,
  }
}

/** Reads a price exactly; undefined if it is negative, no decimal, or too long. */
function readPrice(text: string): bigint | undefined {
  const plain = readDecimal(text)
  if (plain === undefined || plain.startsWith('-') || storedDecimal(plain) !== plain) return undefined
  return scaledDecimal(plain)
}
