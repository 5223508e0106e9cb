import type { Schema } from '../schemas/schema.ts'
import type { Described } from './document-types.ts'

/** Schemas of text parameters. Patterns use [0-9], since \d matches more in some languages. */

/** Any text without NUL. */
export const anyText: Schema = { type: 'string', pattern: '^[^\\x00]*$' }

/** Text with a visible character. */
export const someText: Schema = { type: 'string', minLength: 1, pattern: '^[^\\x00]*[^\\s\\x00][^\\x00]*$' }

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
/** The blank is a plus sign that a query string decoded. */
const OFFSET = `(?:[Zz]|[+ -]${HOUR}(?::?${MINUTE})?)`

/** Pattern of the texts that `readInstant` accepts, valid dates only. `utcInWords` allows ` UTC` instead of Z. */
function instantPattern(utcInWords = false): string {
  const zone = `(?: ?${OFFSET}?${utcInWords ? '| UTC' : ''})`
  return `${DATE}(?:[Tt ]${TIME}${zone})?`
}

export const daySchema: Schema = {
  type: 'string',
  pattern: `^(?:20[0-9]{2}-(?:${DAY_OF_YEAR}|0[1-9]|1[0-2])|20(?:[02468][048]|[13579][26])-02-29)$`,
}

export function timeText(utcInWords: boolean): Schema {
  return { type: 'string', pattern: `^${instantPattern(utcInWords)}$` }
}

/** One name, or several separated by commas. */
export function namesText(names: readonly string[]): Schema {
  const name = `[ \\t]*(?:${names.join('|')})[ \\t]*`
  return { type: 'string', pattern: `^${name}(?:,${name})*$` }
}

/** Letters and a version for each table, and a digest; older ids have versions with dots. Neither is a date. */
const SNAPSHOT_ID = '(?:[a-z]{3}[0-9]{1,15})+-[0-9a-f]{12}|[0-9.]*[.][0-9]+'

export const snapshotName: Described = {
  description:
    'Snapshot to answer from: its id, out of the header Ledgerlake-Snapshot, or a time in ISO 8601, for the newest one ' +
    'of that moment. The newest of all unless given.',
  schema: { type: 'string', pattern: `^(?:${SNAPSHOT_ID}|${instantPattern()})$` },
}
