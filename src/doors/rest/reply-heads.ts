import { type Identified, identifiedBy, identifiedBySeries } from '../../answers/unknown/identified.ts'
import type { Unknown } from '../../answers/unknown/unknown.ts'
import type { RestOperation } from '../contract/operations.ts'
import { knownNames } from '../known-names.ts'
import type { ReplyHead } from '../pipeline/direct-route.ts'
import { cacheControl, isPinned, revalidated } from '../reply/cache-control.ts'
import { tagOf } from '../reply/entity-tag.ts'
import { JSON_TYPE, type Representation } from '../reply/representation.ts'
import { requestTagger } from '../reply/request-tag.ts'
import { isComplete, tagOfEmpty, UNKNOWN_HEADER, unknownHeader } from '../reply/unknown.ts'
import type { RestContext } from './context.ts'
import { coverageHeader, missingHeader } from './coverage.ts'
import type { DaysOfQuery } from './days-of-query.ts'
import type { RestRequest } from './handlers.ts'

/** ETag and headers of the responses of one operation, for any status. */
export interface ReplyHeads {
  /** Returns the head that depends on the request alone. Errors: `malformed_request`. */
  of(request: RestRequest, hasKey: boolean): ReplyHead
  /** Returns the head for a body; undefined if its unknown values have to be read first. */
  for(request: RestRequest, head: ReplyHead, body: Representation): ReplyHead | undefined
  /** Returns the head of an empty body, whose ETag depends on the unknown values. */
  ofEmpty(request: RestRequest, head: ReplyHead, unknown: Unknown): ReplyHead
  /** Returns the keys, addresses and names in a request to look up. */
  identifiedIn(request: RestRequest): readonly Identified[]
}

export function openReplyHeads(
  { resource, kind }: RestOperation,
  { dialect, repository }: Pick<RestContext, 'dialect' | 'repository'>,
  days: DaysOfQuery,
): ReplyHeads {
  const { coverages } = repository
  const requestTagOf = requestTagger(resource, [dialect.name, kind])
  const cacheControlOf = cacheControl(resource)
  const refuseUnknownNames = dialect.queries.refusesUnknown ? knownNames(resource) : () => {}

  const identifiedIn = ({ query }: RestRequest) =>
    kind === 'list' || kind === 'totals' ? identifiedBy(resource, query.filters) : []

  /** The ETag of a series also depends on the tables that may have its hotspots. */
  function tagFor({ query, at, id, reach }: RestRequest): string {
    const tag = requestTagOf(query, at, id, query.format?.type ?? JSON_TYPE)
    const { series, filters } = query
    const identified = series === undefined ? [] : identifiedBySeries(resource, filters, series)
    return identified.length === 0
      ? tag
      : tagOf(`${tag}\0${repository.unknown.originOf(identified, reach, at)}`)
  }

  /** An incomplete lookup gets an ETag of its own, and is revalidated. */
  function withUnknown(head: ReplyHead, unknown: Unknown): ReplyHead {
    const text = unknownHeader(unknown)
    if (text === undefined) return head
    const headers = [...head.headers, UNKNOWN_HEADER, text]
    if (isComplete(unknown)) return { ...head, headers }
    return { tag: tagOfEmpty(head.tag, unknown), headers: revalidated(headers), origin: null }
  }

  function ofEmpty({ query }: RestRequest, head: ReplyHead, unknown: Unknown): ReplyHead {
    const { tag, headers, origin } = withUnknown(head, unknown)
    const emptyTag = tagOfEmpty(tag, unknown)
    return {
      tag: emptyTag,
      // Unknown values depend on the newest tables.
      headers: isPinned(query.asOf) ? headers : revalidated(headers),
      origin: origin && { ...origin, tag: emptyTag },
    }
  }

  return {
    of(request, hasKey) {
      const { query, at } = request
      refuseUnknownNames(query.filters, at.table(resource))
      const tag = tagFor(request)
      const hasDays = days.hasMissingDays(query)
      const cached = hasDays ? coverages.peek(resource, at) : undefined
      const missing = hasDays ? missingHeader(coverages, resource, query.filters, at, cached) : undefined
      // The next request retries unreadable manifests.
      const isIncomplete = hasDays && cached === undefined
      const coverage = query.format && coverageHeader(coverages, resource, query, at)
      const headers = ['ledgerlake-snapshot', at.id]
      headers.push('cache-control', cacheControlOf(query, at, hasKey, isIncomplete))
      if (missing !== undefined) headers.push('ledgerlake-missing', missing)
      if (coverage !== undefined) headers.push('ledgerlake-coverage', coverage)
      return { tag, headers, origin: query.asOf === undefined && !isIncomplete ? { at, tag } : null }
    },

    for(request, head, { isEmpty, unknown }) {
      if (unknown !== undefined) return withUnknown(head, unknown)
      if (isEmpty === undefined) return head
      const identified = identifiedIn(request)
      if (identified.length === 0) return head
      const cached = repository.unknown.peek(identified, request.reach, request.at)
      return cached && ofEmpty(request, head, cached)
    },

    ofEmpty,
    identifiedIn,
  }
}
