import {
  type Identified,
  identifiedBy,
  identifiedBySeries,
  type Unknown,
} from '../../answers/rows/unknown.ts'
import type { RestOperation } from '../contract/operations.ts'
import { knownNames } from '../known-names.ts'
import { cacheControl, isPinned, revalidated } from '../reply/cache-control.ts'
import { digestOf } from '../reply/entity-tag.ts'
import type { ReplyHead } from '../reply/fast-path.ts'
import { JSON_TYPE, type Representation } from '../reply/representation.ts'
import { tagger } from '../reply/request-tag.ts'
import { isTold, tagOfEmpty, UNKNOWN_HEADER, unknownText } from '../reply/unknown.ts'
import type { RestContext } from './context.ts'
import { coverageHeader, missingIn } from './coverage.ts'
import type { DaysOfQuery } from './days-of-query.ts'
import type { RestRequest } from './handlers.ts'

/** Status-independent heads of the responses of one operation: the ETag and the headers. */
export interface ReplyHeads {
  /** The head that follows from the request alone. Errors: `malformed_request`. */
  of(asked: RestRequest, hasKey: boolean): ReplyHead
  /** The head for a body; undefined if its unknown values have to be read first. */
  for(asked: RestRequest, head: ReplyHead, body: Representation): ReplyHead | undefined
  /** The head of an empty body. Its ETag follows from the unknown values. */
  ofEmpty(asked: RestRequest, head: ReplyHead, unknown: Unknown): ReplyHead
  /** Keys, addresses and names in a request whose body is empty. */
  identifiedIn(asked: RestRequest): readonly Identified[]
}

export function openReplyHeads(
  { resource, kind }: RestOperation,
  { dialect, repository }: Pick<RestContext, 'dialect' | 'repository'>,
  days: DaysOfQuery,
): ReplyHeads {
  const { coverages } = repository
  const tagOf = tagger(resource, [dialect.name, kind])
  const cacheControlOf = cacheControl(resource)
  const refuseUnknownNames = dialect.queries.refusesUnknown ? knownNames(resource) : () => {}

  const identifiedIn = ({ query }: RestRequest) =>
    kind === 'list' || kind === 'totals' ? identifiedBy(resource, query.filters) : []

  /** The ETag of a series also follows from all tables that may have its hotspots. */
  function tagFor({ query, at, id, reach }: RestRequest): string {
    const tag = tagOf(query, at, id, query.format?.type ?? JSON_TYPE)
    const { series, filters } = query
    const identified = series === undefined ? [] : identifiedBySeries(resource, filters, series)
    return identified.length === 0
      ? tag
      : digestOf(`${tag}\0${repository.unknown.originOf(identified, reach, at)}`)
  }

  /** A response that could not look up every value has an ETag of its own, and is revalidated. */
  function withUnknown(head: ReplyHead, unknown: Unknown): ReplyHead {
    const text = unknownText(unknown)
    if (text === undefined) return head
    const headers = [...head.headers, UNKNOWN_HEADER, text]
    if (isTold(unknown)) return { ...head, headers }
    return { tag: tagOfEmpty(head.tag, unknown), headers: revalidated(headers), origin: null }
  }

  function ofEmpty({ query }: RestRequest, head: ReplyHead, unknown: Unknown): ReplyHead {
    const { tag, headers, origin } = withUnknown(head, unknown)
    const own = tagOfEmpty(tag, unknown)
    // Unknown values follow from the newest tables.
    const kept = isPinned(query.asOf) ? headers : revalidated(headers)
    return { tag: own, headers: kept, origin: origin && { ...origin, tag: own } }
  }

  return {
    of(asked, hasKey) {
      const { query, at } = asked
      refuseUnknownNames(query.filters, at.table(resource))
      const tag = tagFor(asked)
      const tellsDays = days.tells(query)
      const known = tellsDays ? coverages.peek(resource, at) : undefined
      const missing = tellsDays ? missingIn(coverages, resource, query.filters, at, known) : undefined
      // Where manifests could not be read, the next request tries again.
      const isLacking = tellsDays && known === undefined
      const coverage = query.format && coverageHeader(coverages, resource, query, at)
      const headers = ['ledgerlake-snapshot', at.id]
      headers.push('cache-control', cacheControlOf(query, at, hasKey, isLacking))
      if (missing !== undefined) headers.push('ledgerlake-missing', missing)
      if (coverage !== undefined) headers.push('ledgerlake-coverage', coverage)
      return { tag, headers, origin: query.asOf === undefined && !isLacking ? { at, tag } : null }
    },

    for(asked, head, { isEmpty, unknown }) {
      if (unknown !== undefined) return withUnknown(head, unknown)
      if (isEmpty === undefined) return head
      const identified = identifiedIn(asked)
      if (identified.length === 0) return head
      const found = repository.unknown.peek(identified, asked.reach, asked.at)
      return found && ofEmpty(asked, head, found)
    },

    ofEmpty,
    identifiedIn,
  }
}
