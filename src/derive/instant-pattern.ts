/** The texts that `readInstant` reads, as one regular expression for programs: days that the calendar lacks are left out. */

const YEAR = '[0-9]{4}'
const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const DAY_OF_YEAR = [
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])',
  '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)',
  '02-(?:0[1-9]|1[0-9]|2[0-8])',
].join('|')
const DATE = `(?:${YEAR}-(?:${DAY_OF_YEAR})|${LEAP_YEAR}-02-29)`
const HOUR = '(?:[01][0-9]|2[0-3])'
const MINUTE = '[0-5][0-9]'
const TIME = `${HOUR}:${MINUTE}(?::${MINUTE}(?:[.,][0-9]{1,18})?)?`
/** A plus sign that a query string turned into a blank counts. */
const OFFSET = `(?:[Zz]|[+ -]${HOUR}(?::?${MINUTE})?)`

/** For a whole text; `utcInWords` where ` UTC` may stand for Z. */
export function instantPattern(utcInWords = false): string {
  const zone = `(?: ?${OFFSET}?${utcInWords ? '| UTC' : ''})`
  return `${DATE}(?:[Tt ]${TIME}${zone})?`
}
