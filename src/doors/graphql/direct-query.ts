import type { RawQuery } from '../../base/parameter-text.ts'
import { readQueryString } from '../../base/query-string.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { FROM_HEADER } from '../gate/look-back.ts'
import type { DirectRequest } from '../pipeline/direct-request.ts'
import type { ReadyReply } from '../pipeline/direct-route.ts'
import { acceptsGzip } from '../reply/accept.ts'
import { matchingTag } from '../reply/entity-tag.ts'
import { JSON_TYPE } from '../reply/representation.ts'
import { serverTiming } from '../reply/server-timing.ts'
import type { GraphqlServices } from './graphql-services.ts'
import { planLists, readLists } from './lists/plan-lists.ts'
import type { QueryParameters } from './query-parameters.ts'

/**
 * Answers a GET query of lists before it is routed, if it needs no I/O. Returns undefined for all others, which the route answers.
 * Errors: those of the route.
 */
export function answerDirectly(
  { schema, documents, repository, snapshots, gate }: GraphqlServices,
  read: (raw: RawQuery) => QueryParameters,
  { message, query: queryString, key }: DirectRequest,
): ReadyReply | undefined {
  const { query, variables, operationName, asOf } = read(readQueryString(queryString))
  const at = snapshots.known(asOf)
  const lists = at && documents.listQuery(query, operationName)
  const plan = lists && planLists(schema, lists, { variables, key, at })
  if (plan === undefined) return undefined
  const tag = plan.tag()
  const headers = ['ledgerlake-snapshot', plan.at.id]
  headers.push('cache-control', key === null ? 'no-cache' : 'private, no-cache')
  if (plan.from !== undefined) headers.push(FROM_HEADER, writeInstant(plan.from))
  const head = { tag, headers, origin: asOf === undefined ? { at: plan.at, tag } : null }
  if (matchingTag(message.headers['if-none-match'], tag) !== undefined)
    return { ...head, representation: undefined }
  // The route compresses.
  if (acceptsGzip(message.headers) || !gate.loopBudget.hasRoom) return undefined
  const begun = performance.now()
  const data = gate.loopBudget.spend(() => readLists(plan, repository))
  if (data === undefined) return undefined
  const representation = { type: JSON_TYPE, body: `{"data":${data}}`, timing: serverTiming(begun, 'index') }
  return { ...head, representation }
}
