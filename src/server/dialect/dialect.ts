import type { RestFace } from '../../catalog/resource.ts'
import type { JsonObject } from '../../derive/json-writer.ts'
import type { ReplyForms } from '../../derive/open-api/reply-forms.ts'
import { type QueryDialect, specifiedQueries } from '../../derive/query-schema.ts'
import { type Spelling, specifiedSpelling } from '../../derive/spelling.ts'
import type { ServiceError } from '../../errors.ts'
import type { PageMeta } from '../../query/page.ts'

/** A failure as REST sends it. */
export interface ErrorReply {
  readonly status: number
  readonly body: JsonObject
}

/** In what the doors may differ: the specification speaks, or an existing service whose clients expect its dialect. */
export interface Dialect {
  readonly name: 'specified' | 'relay'
  /** Path segments that stand for the network, beside the one of the settings. */
  readonly networks: readonly string[]
  readonly queries: QueryDialect
  /** Of REST alone: GraphQL has scalars for what is written otherwise. */
  readonly spelling: Spelling
  /** Name of the list in a page. */
  envelopeOf(rest: RestFace): string
  /** What stands under `meta`; `total` is the number of records that match. */
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
