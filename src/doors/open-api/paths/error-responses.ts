import { type ErrorCode, errorTable, ServiceError } from '../../../base/errors.ts'
import type { RawQuery } from '../../../base/parameter-text.ts'
import type { RestOperation } from '../../contract/operations.ts'
import { querySchema } from '../../contract/query-schema.ts'
import { reference, type Schema } from '../schemas/schema.ts'
import type { Content, DocumentStyle, Response } from './document-types.ts'

/** What a key has left, where it is limited. */
export const limitHeaders = [
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  ...['Ledgerlake-Quota-Limit', 'Ledgerlake-Quota-Remaining', 'Ledgerlake-Quota-Reset'],
]

/** Headers that errors have beside the id of the request. */
const ownHeaders: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  authentication_required: ['WWW-Authenticate'],
  usage_limit_exceeded: ['Retry-After', ...limitHeaders],
  rate_limit_exceeded: ['Retry-After', ...limitHeaders],
  overloaded: ['Retry-After'],
  not_ready: ['Retry-After'],
  range_not_satisfiable: ['Accept-Ranges', 'Content-Range'],
}

export function headerReferences(names: readonly string[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
}

const plainly = (code: ErrorCode) => new ServiceError(code, errorTable[code].meaning)

/** What any operation may answer that keys and limits guard. */
const common: readonly ServiceError[] = [
  ...(['authentication_required', 'usage_limit_exceeded', 'rate_limit_exceeded'] as const).map(plainly),
  new ServiceError(
    'internal',
    `${errorTable.internal.meaning} Request id 00000000-0000-4000-8000-000000000000.`,
  ),
  ...(
    [
      'gone',
      'precondition_failed',
      'overloaded',
      'not_ready',
      'lake_damaged',
      'lake_unsupported',
      'deadline_exceeded',
    ] as const
  ).map(plainly),
]

type Responses = Readonly<Record<string, Response | { readonly $ref: string }>>

/** Errors of one status are one response, each with its example. */
function byStatus(errors: readonly ServiceError[], style: DocumentStyle): Readonly<Record<string, Response>> {
  const statuses = new Map<number, ServiceError[]>()
  for (const error of errors) {
    const { status } = style.errorOf(error)
    statuses.set(status, [...(statuses.get(status) ?? []), error])
  }
  return Object.fromEntries(
    [...statuses].map(([status, same]) => [String(status), responseOf(same, style)] as const),
  )
}

/** One response for errors of one status, with an example of each. */
export function responseOf(errors: readonly ServiceError[], style: DocumentStyle): Response {
  const examples = errors.map((error) => [
    error.code,
    { summary: errorTable[error.code].meaning, value: style.errorOf(error).body },
  ])
  const content: Content = {
    schema: reference('schemas', 'ErrorReply'),
    examples: Object.fromEntries(examples),
  }
  return {
    description: errors.map(({ code }) => `\`${code}\`: ${errorTable[code].meaning}`).join(' '),
    headers: headerReferences(['X-Request-Id', ...errors.flatMap(({ code }) => ownHeaders[code] ?? [])]),
    content: { 'application/json': content },
  }
}

/** Responses that many operations have, by the name that they have among the components. */
export function commonResponses(style: DocumentStyle): Readonly<Record<string, Response>> {
  const responses = Object.entries(byStatus(common, style))
  return Object.fromEntries(responses.map(([status, response]) => [`Status${status}`, response]))
}

/** The responses for common errors and for `own` ones; those that are all common are referred to. */
export function errorResponses(own: readonly ServiceError[], style: DocumentStyle): Responses {
  const statuses = new Set(own.map((error) => String(style.errorOf(error).status)))
  const all = Object.entries(byStatus([...common, ...own], style))
  return Object.fromEntries(
    all.map(([status, response]) => [
      status,
      statuses.has(status) ? response : reference('responses', `Status${status}`),
    ]),
  )
}

/** Errors of one operation: features, a record that is not there, and parameters, as it would say it itself. */
export function ownErrors({ needs, rest, resource, kind }: RestOperation): readonly ServiceError[] {
  const missing =
    needs.length === 0
      ? []
      : [new ServiceError('feature_not_available', `The key lacks ${needs.join(' and ')}.`)]
  const absent =
    kind === 'find' && rest.find !== undefined
      ? [new ServiceError('not_found', `${rest.find.thing} not found`)]
      : []
  const wrong: RawQuery = kind === 'list' ? { per_page: '500' } : { integers: 'text' }
  return [...missing, ...absent, refusalOf(() => querySchema(resource, kind)(wrong))]
}

/** The error of a check that refuses. */
export function refusalOf(check: () => unknown): ServiceError {
  try {
    check()
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('a wrong query was not refused')
}
