import type { ServiceError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { PageMeta } from '../../catalog/query/page.ts'
import { type Spelling, specifiedSpelling } from '../../catalog/records/spelling.ts'
import type { RestFace } from '../../catalog/resource.ts'
import { type QueryDialect, specifiedQueries } from '../contract/query-schema.ts'
import type { ReplyForms } from '../open-api/schemas/reply-forms.ts'

export interface ErrorReply {
  readonly status: number
  readonly body: JsonObject
}

/** Differences between the specified API and the hosted service. */
export interface Dialect {
  readonly name: 'specified' | 'relay'
  /** Path segments for the network, in addition to the configured one. */
  readonly networks: readonly string[]
  readonly queries: QueryDialect
  /** Used by REST only; GraphQL has its own scalars. */
  readonly spelling: Spelling
  /** Returns the name of the array of records in a page. */
  envelopeOf(rest: RestFace): string
  /** Returns the `meta` of a page; `total` counts the matching records of all pages. */
  metaOf(meta: PageMeta, total: number): JsonObject
  errorOf(error: ServiceError): ErrorReply
  /** Response schemas of the documents, where they differ from the specified ones. */
  readonly forms?: ReplyForms
  /** Returns the key in an Authorization header. */
  keyIn(authorization: string): string | undefined
}

/** Source: specification, and docs/decisions, "Errors and statuses". */
export const specifiedDialect: Dialect = {
  name: 'specified',
  networks: [],
  queries: specifiedQueries,
  spelling: specifiedSpelling,
  envelopeOf: ({ envelope }) => envelope,
  metaOf: (meta) => ({ ...meta }),
  errorOf: ({ message, code, status, faults, position }) => ({
    status,
    body: {
      ...{ error: message, code, ...(faults.length > 0 && { errors: faults.map(faultBody) }) },
      ...(position !== undefined && { position: { ...position } }),
    },
  }),
  keyIn: (authorization) => /^Bearer +(\S+)$/i.exec(authorization)?.[1],
}

export function faultBody({ param, message }: ServiceError['faults'][number]): JsonObject {
  return { param, message }
}
