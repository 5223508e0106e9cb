import { fail } from '../../base/errors.ts'
import { describeValue, isCount, isMembers } from '../../lake/log/log-actions.ts'

/** Body of a table query. */
export interface TableQuery {
  readonly predicateHints: readonly string[]
  readonly jsonPredicateHints: string | undefined
  readonly limitHint: number | undefined
  readonly version: unknown
  readonly timestamp: unknown
}

/** Parses a body; an empty one is `{}`. Errors: `malformed_request`. */
export function readJson(body: string): unknown {
  try {
    return body.trim() === '' ? {} : JSON.parse(body)
  } catch (cause) {
    return fail('malformed_request', 'The body cannot be read as JSON; use a JSON object.', { cause })
  }
}

/** Members of requests for changes between versions. */
const ofChanges = ['startingVersion', 'endingVersion', 'startingTimestamp', 'endingTimestamp']

/** Checks a table query and ignores unknown members, since the protocol grows. Errors: `malformed_request`. */
export function readTableQuery(body: unknown): TableQuery {
  const members = body ?? {}
  if (!isMembers(members)) return wrong('The body is', members, 'a JSON object')
  const changeParameter = ofChanges.find((name) => isGiven(members[name]))
  if (changeParameter !== undefined)
    return fail(
      'malformed_request',
      `${changeParameter} asks for changes between versions, which are not offered; leave it out, and use version or timestamp for an older table.`,
    )
  const { predicateHints, jsonPredicateHints, limitHint, version, timestamp } = members
  const areTexts = Array.isArray(predicateHints) && predicateHints.every((one) => typeof one === 'string')
  if (isGiven(predicateHints) && !areTexts)
    return wrong('predicateHints is', predicateHints, 'a list of texts')
  if (isGiven(jsonPredicateHints) && typeof jsonPredicateHints !== 'string')
    return wrong('jsonPredicateHints is', jsonPredicateHints, 'JSON in a text')
  if (isGiven(limitHint) && !isCount(limitHint))
    return wrong('limitHint is', limitHint, 'a whole number from 0')
  return {
    predicateHints: areTexts ? predicateHints : [],
    jsonPredicateHints: typeof jsonPredicateHints === 'string' ? jsonPredicateHints : undefined,
    limitHint: isCount(limitHint) ? limitHint : undefined,
    ...{ version, timestamp },
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null

function wrong(subject: string, value: unknown, expected: string): never {
  return fail('malformed_request', `${subject} ${describeValue(value)}; use ${expected}.`)
}
