import type { ServiceError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { PageMeta } from '../../catalog/query/page.ts'
import { type Spelling, specifiedSpelling } from '../../catalog/records/spelling.ts'
import type { RestFace } from '../../catalog/resource.ts'
import { type QueryDialect, specifiedQueries } from '../contract/query-schema.ts'
import type { ReplyForms } from '../open-api/schemas/reply-forms.ts'

/** A failure as REST sends it. */
export interface ErrorReply {
  readonly status: number
  readonly body: JsonObject
}

/** The differences between the API of the specification and that of an existing service whose clients are served. */
export interface Dialect {
  readonly name: 'specified' | 'relay'
  /** Path segments for the network, besides the one in the settings. */
  readonly networks: readonly string[]
  readonly queries: QueryDialect
  /** Of REST only: GraphQL has its own scalars. */
  readonly spelling: Spelling
  /** The member of a page that holds its records. */
  envelopeOf(rest: RestFace): string
  /** The `meta` of a page; `total` is the number of matching records over all pages. */
  metaOf(meta: PageMeta, total: number): JsonObject
  errorOf(error: ServiceError): ErrorReply
  /** How the documents describe replies, where that is not as specified. */
  readonly forms?: ReplyForms
  /** The key in an Authorization header; undefined when there is none that can be read. */
  keyIn(authorization: string): string | undefined
}

/** Source: specification, and docs/decisions, "Errors and statuses". */
export const specified: Dialect = {
  name: 'specified',
  networks: [],
  queries: specifiedQueries,
  spelling: specifiedSpelling,
  envelopeOf: ({ envelope }) => envelope,
  metaOf: (meta) => ({ ...meta }),
  errorOf: ({ message, code, status, faults }) => ({
    status,
    body: { error: message, code, ...(faults.length > 0 && { errors: faults.map(faultOf) }) },
  }),
  keyIn: (authorization) => /^Bearer +(\S+)$/i.exec(authorization)?.[1],
}

/** What is wrong with one parameter, as callers read it. */
export function faultOf({ param, message }: ServiceError['faults'][number]): JsonObject {
  return { param, message }
}
