import { fail } from '../../base/errors.ts'
import { firstFault, z } from '../../base/zod.ts'
import { describeValue, isMembers } from '../../lake/log/log-actions.ts'

const given = <T extends z.ZodType>(form: T) => form.nullish().transform((value) => value ?? undefined)
const limitWords = 'a whole number from 0'

/** Body of a table query. Unknown members are ignored, since the protocol grows. Error texts say what to use. */
const tableQuery = z.object({
  predicateHints: given(z.array(z.string('an array of strings'), 'an array of strings')),
  jsonPredicateHints: given(z.string('JSON in a text')),
  limitHint: given(z.int(limitWords).nonnegative(limitWords)),
  version: given(z.unknown()),
  timestamp: given(z.unknown()),
})
export type TableQuery = z.infer<typeof tableQuery>

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

/** Checks a table query. Errors: `malformed_request`. */
export function readTableQuery(body: unknown): TableQuery {
  const members = body ?? {}
  if (!isMembers(members)) return wrong('The body', members, 'a JSON object')
  const changeParameter = ofChanges.find((name) => members[name] !== undefined && members[name] !== null)
  if (changeParameter !== undefined)
    return fail(
      'malformed_request',
      `${changeParameter} asks for changes between versions, which are not offered; leave it out, and use version or timestamp for an older table.`,
    )
  const { data, error } = tableQuery.safeParse(members)
  if (data !== undefined) return data
  const { name = '', expected = '' } = firstFault(error) ?? {}
  return wrong(name, members[name], expected)
}

function wrong(subject: string, value: unknown, expected: string): never {
  return fail('malformed_request', `${subject} is ${describeValue(value)}; use ${expected}.`)
}
