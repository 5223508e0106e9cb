import { fail } from '../../base/errors.ts'
import { describeValue, isCount, isObject } from '../../lake/log/log-actions.ts'

/** What a query of a table asks for. */
export interface TableQuery {
  readonly predicateHints: readonly string[]
  readonly jsonPredicateHints: string | undefined
  readonly limitHint: number | undefined
  readonly version: unknown
  readonly timestamp: unknown
}

/** A body without anything is one without members. Errors: `malformed_request`. */
export function readJson(body: string): unknown {
  try {
    return body.trim() === '' ? {} : JSON.parse(body)
  } catch (cause) {
    return fail('malformed_request', 'The body cannot be read as JSON; a JSON object is accepted.', { cause })
  }
}

/** Members that ask for changes between versions rather than for a table. */
const ofChanges = ['startingVersion', 'endingVersion', 'startingTimestamp', 'endingTimestamp']

/** Members that nobody knows are left alone, as the protocol grows. Errors: `malformed_request`. */
export function readTableQuery(body: unknown): TableQuery {
  const given = body ?? {}
  if (!isObject(given)) return wrong('The body is', given, 'a JSON object is accepted')
  const asked = ofChanges.find((name) => isGiven(given[name]))
  if (asked !== undefined)
    return fail(
      'malformed_request',
      `${asked} asks for changes between versions, which are not offered; leave it out, and use version or timestamp for an older table.`,
    )
  const { predicateHints, jsonPredicateHints, limitHint, version, timestamp } = given
  const areTexts = Array.isArray(predicateHints) && predicateHints.every((one) => typeof one === 'string')
  if (isGiven(predicateHints) && !areTexts)
    return wrong('predicateHints is', predicateHints, 'a list of texts is accepted')
  if (isGiven(jsonPredicateHints) && typeof jsonPredicateHints !== 'string')
    return wrong('jsonPredicateHints is', jsonPredicateHints, 'JSON in a text is accepted')
  if (isGiven(limitHint) && !isCount(limitHint))
    return wrong('limitHint is', limitHint, 'a whole number from 0 is accepted')
  return {
    predicateHints: areTexts ? predicateHints : [],
    jsonPredicateHints: typeof jsonPredicateHints === 'string' ? jsonPredicateHints : undefined,
    limitHint: isCount(limitHint) ? limitHint : undefined,
    ...{ version, timestamp },
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null

function wrong(what: string, value: unknown, accepted: string): never {
  return fail('malformed_request', `${what} ${describeValue(value)}; ${accepted}.`)
}
