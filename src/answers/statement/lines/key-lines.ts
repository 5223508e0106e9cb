import { quoted } from '../../../base/parameter-text.ts'
import { type Days, daysInBoth, isDay } from '../../../catalog/query/days.ts'
import { cellsOfLines, refuseLines } from './line-faults.ts'

export interface HeldKey extends Days {
  /** The text as typed: a key, or a name before `keysOfLines`. */
  readonly key: string
}

const always: Days = { first: '2000-01-01', last: '2099-12-31' }

/** RSA keys have some 380 characters. */
const KEY = /^[1-9A-HJ-NP-Za-km-z]{20,1000}$/
/** Words with blanks or hyphens between them, such as Furry Linen Bee. */
const NAME = /^[\p{L}\p{N}]+(?:[\s_-]+[\p{L}\p{N}]+)+$/u

/**
 * Reads lines of `key[,from[,to]]` or `key[,bought DAY][,sold DAY]`, days inclusive; a hotspot name may replace the key.
 * Skips blank lines and lines with #.
 * Errors: `malformed_request` with the first invalid lines and the count of the rest.
 */
export function readKeyLines(text: string, name: string): readonly HeldKey[] {
  const faults: string[] = []
  const heldKeys: (HeldKey & { readonly line: number })[] = []
  for (const [line, cells] of cellsOfLines(text)) {
    const heldKey = readLine(cells)
    if (typeof heldKey === 'string') {
      faults.push(`Line ${line} of ${name} ${heldKey}.`)
      continue
    }
    const twice = heldKeys.find(
      (earlier) => earlier.key === heldKey.key && daysInBoth(earlier, heldKey) !== undefined,
    )
    if (twice === undefined) heldKeys.push({ ...heldKey, line })
    else faults.push(`Line ${line} of ${name} has days of ${heldKey.key} that line ${twice.line} has too.`)
  }
  if (faults.length === 0 && heldKeys.length === 0)
    faults.push(`${name} has no lines; write one as key[,from[,to]].`)
  refuseLines(faults)
  return heldKeys.map(({ key, first, last }) => ({ key, first, last }))
}

/** A day by its event. The day of a sale is the last that counts. */
const EVENT = /^(bought|sold)\s+(\S.*)$/i

/** Returns the key and days of a line, or its error. */
function readLine([key = '', ...cells]: readonly string[]): HeldKey | string {
  const events = new Map(
    cells.flatMap((cell) => {
      const [, event = '', day = ''] = EVENT.exec(cell) ?? []
      return event === '' ? [] : [[event.toLowerCase(), day] as const]
    }),
  )
  if (events.size > 0 && events.size < cells.length)
    return `mixes days with and without a word; write key,bought DAY,sold DAY, or one of the two`
  const [first = '', last = '', ...extraCells] =
    events.size === 0 ? cells : [events.get('bought'), events.get('sold')]
  if (extraCells.length > 0) return `has ${extraCells.length + 3} parts; write key[,from[,to]]`
  if (!KEY.test(key) && !NAME.test(key))
    return `begins with ${quoted(key)}, which is no key or name of a hotspot; write key[,from[,to]]`
  const wrong = [first, last].find((day) => day !== '' && !isDay(day))
  if (wrong !== undefined) return `has ${quoted(wrong)}; write a day as in 2025-07-01`
  const dates = { key, first: first || always.first, last: last || always.last }
  return dates.first > dates.last ? `ends on ${dates.last}, before it begins on ${dates.first}` : dates
}
