import { type ErrorCode, ServiceError, sentenceOf } from '../../../base/errors.ts'
import { withoutKeys } from '../../../keys/api-key.ts'
import { PostgresError } from '../wire/postgres-error.ts'

/** Reason of the signal of a statement that its client cancelled. */
export const CANCELLED = 'canceling statement due to user request'
/** Reason of the signal of a statement at its deadline. */
export const TOO_LONG = 'canceling statement due to statement timeout'

/** SQLSTATEs of DuckDB's errors and of the gate, first match. Source: PostgreSQL, "Error Codes". */
const bySentence: readonly (readonly [string, RegExp])[] = [
  ['53200', /^Out of Memory Error|takes too much memory/],
  ['42601', /^Parser Error|^There is no statement|^There are \d+ statements|is not accepted; use one SELECT/],
  ['42P01', /^There is no table|^Catalog Error: Table|^Binder Error: Referenced table/],
  ['42883', /^The function|^Catalog Error: (?:Scalar |Table |Aggregate )?[Ff]unction|No function matches/],
  ['42704', /^Catalog Error/],
  ['42702', /^Binder Error: Ambiguous/],
  ['42803', /^Binder Error: .*(?:GROUP BY|aggregate)/],
  ['42703', /^Binder Error: .*(?:[Rr]eferenced column|does not have a column|not found in FROM)/],
  ['42P02', /[Pp]arameter/],
  ['42804', /^Binder Error: .*(?:cast|type|compare)/],
  ['42601', /^Binder Error/],
  [
    '22003',
    /^Out of Range Error|^Conversion Error: .*(?:out of range|overflow|can't be cast because the value)/i,
  ],
  ['22008', /^Conversion Error: .*(?:date|time|interval) field value out of range/i],
  ['22007', /^Conversion Error: (?:invalid )?(?:date|time|timestamp)/i],
  ['22P02', /^Conversion Error/],
  ['22023', /^Invalid Input Error/],
]

const byCode: Partial<Readonly<Record<ErrorCode, string>>> = {
  authentication_required: '28P01',
  feature_not_available: '42501',
  usage_limit_exceeded: '53400',
  rate_limit_exceeded: '53400',
  overloaded: '53000',
  deadline_exceeded: '57014',
  gone: '72000',
  not_ready: '57P03',
  lake_damaged: 'XX001',
  lake_unwritable: '53100',
}

/** Returns the error for a client; `log` gets unexpected ones, whose words clients do not see. */
export function toPostgresError(error: unknown, log: (error: unknown) => void): PostgresError {
  if (error instanceof PostgresError) return error
  const sentence = sentenceOf(error)
  if (sentence === CANCELLED || sentence === TOO_LONG) return new PostgresError('57014', sentence)
  if (!(error instanceof ServiceError) || error.code === 'internal') {
    log(error)
    return new PostgresError('XX000', 'An unexpected fault; the log of the server has the cause.')
  }
  const { code, position } = error
  const sqlstate = byCode[code] ?? bySentence.find(([, pattern]) => pattern.test(sentence))?.[0] ?? '22000'
  if (error.status >= 500 && !error.isShown && code !== 'overloaded') log(error)
  // Clients draw the line of a position themselves.
  const [words = ''] = position === undefined ? [sentence] : sentence.split(/\n\nLINE \d+:/)
  return new PostgresError(sqlstate, withoutKeys(words), {
    position: position === undefined ? undefined : position.offset + 1,
  })
}
