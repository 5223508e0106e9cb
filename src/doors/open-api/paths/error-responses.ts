import { type ErrorCode, errorTable, ServiceError } from '../../../base/errors.ts'
import type { RawQuery } from '../../../base/parameter-text.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import { missingFeatures } from '../../contract/missing-features.ts'
import type { RestOperation } from '../../contract/operations.ts'
import { querySchema } from '../../contract/query-schema.ts'
import { reference, type Schema } from '../schemas/schema.ts'
import type { Content, DocumentStyle, Response } from './document-types.ts'

/** Headers of errors besides the request id. */
const errorHeaders: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
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

const plainError = (code: ErrorCode) => new ServiceError(code, errorTable[code].meaning)

/** Errors of every guarded operation. */
const commonErrors: readonly ServiceError[] = [
  ...(['authentication_required', 'usage_limit_exceeded', 'rate_limit_exceeded'] as const).map(plainError),
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
  ).map(plainError),
]

type Responses = Readonly<Record<string, Response | { readonly $ref: string }>>

/** Groups errors into one response per status. */
function byStatus(errors: readonly ServiceError[], style: DocumentStyle): Readonly<Record<string, Response>> {
  const statuses = new Map<number, ServiceError[]>()
  for (const error of errors) {
    const { status } = style.errorOf(error)
    statuses.set(status, [...(statuses.get(status) ?? []), error])
  }
  return Object.fromEntries(
    [...statuses].map(([status, grouped]) => [String(status), responseOf(grouped, style)] as const),
  )
}

/** Builds the response of errors of one status, with an example of each. */
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
    headers: headerReferences(['X-Request-Id', ...errors.flatMap(({ code }) => errorHeaders[code] ?? [])]),
    content: { 'application/json': content },
  }
}

/** Shared responses, by their component name. */
export function commonResponses(style: DocumentStyle): Readonly<Record<string, Response>> {
  const responses = Object.entries(byStatus(commonErrors, style))
  return Object.fromEntries(responses.map(([status, response]) => [`Status${status}`, response]))
}

/** Returns responses for common errors and the errors of the operation. Statuses with common errors only are references. */
export function errorResponses(errors: readonly ServiceError[], style: DocumentStyle): Responses {
  const statuses = new Set(errors.map((error) => String(style.errorOf(error).status)))
  const responses = Object.entries(byStatus([...commonErrors, ...errors], style))
  return Object.fromEntries(
    responses.map(([status, response]) => [
      status,
      statuses.has(status) ? response : reference('responses', `Status${status}`),
    ]),
  )
}

/** Errors of an operation: features, a missing record, and parameters, as the operation would report them. */
export function operationErrors({ needs, rest, resource, kind }: RestOperation): readonly ServiceError[] {
  const absent =
    kind === 'find' && rest.find !== undefined
      ? [new ServiceError('not_found', `${rest.find.thing} not found`)]
      : []
  const wrong: RawQuery = kind === 'list' ? { per_page: '500' } : { integers: 'text' }
  return [...missingFeatures(needs), ...absent, caughtError(() => querySchema(resource, kind)(wrong))]
}

/** Returns the error that a check throws. */
export function caughtError(check: () => unknown): ServiceError {
  try {
    check()
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('a wrong query was not refused')
}
