import type { FastifyReply, FastifyRequest } from 'fastify'
import { fullReach } from '../../answers/unknown/reach.ts'
import { type RawQuery, refuse } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { type ExportFormat, exportFormats } from '../../catalog/export-formats.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { missingFormat } from '../contract/export-parameters.ts'
import type { RestOperation } from '../contract/operations.ts'
import { type CheckedQuery, querySchema } from '../contract/query-schema.ts'
import { reachOf } from '../gate/look-back.ts'
import { lookingUp, readingLog, workOf } from '../gate/work-of.ts'
import { pathParameter, queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { type Offered, preferred } from '../reply/accept.ts'
import { isNotModified } from '../reply/entity-tag.ts'
import type { ReadyReply, ReplyHead } from '../reply/fast-path.ts'
import {
  JSON_TYPE,
  jsonBody,
  LongText,
  type Representation,
  send,
  type WholeBody,
} from '../reply/representation.ts'
import { serverTiming } from '../reply/server-timing.ts'
import type { RestContext } from './context.ts'
import { daysOfQueries } from './days-of-query.ts'
import { handlerOf, type RestRequest, type Search } from './handlers.ts'
import { withKeysOfBody } from './hotspot-keys.ts'
import { longBody } from './long-body.ts'
import { MOST_WHOLE_ROWS, writeBody, writeBodyInSlices } from './reply-body.ts'
import { openReplyHeads } from './reply-heads.ts'
import { sendFile, setPinnedLocation } from './send-file.ts'

/** State of a request that has passed the concurrency limit. */
interface Admitted {
  readonly signal: AbortSignal
  readonly isInTurn: boolean
}

/** Representations of a list; pages are the default. */
const listFormats: readonly [Offered, ...Offered[]] = [{ type: JSON_TYPE }, ...exportFormats]

/**
 * Creates the route handler of an operation. It checks the query, takes the snapshot once, and responds synchronously if no I/O is
 * needed. Only other requests take a slot of the concurrency limit.
 */
export function routeHandler(context: RestContext, operation: RestOperation) {
  const { resource, kind } = operation
  const { dialect, repository, snapshots, cache, gate, requestTimeoutMs, exports } = context
  const check = querySchema(resource, kind, dialect.queries)
  const days = daysOfQueries(operation, repository)
  const heads = openReplyHeads(operation, context, days)
  const searchFor = handlerOf(operation, repository, dialect)
  const givesFiles = kind === 'list' && dialect.queries.givesFiles
  const isRead = kind === 'list' || kind === 'find'

  /** Computes the response for one or several equal requests. */
  const find = (asked: RestRequest, search: Search) => async (signal: AbortSignal) => {
    const begun = performance.now()
    const result = await search.find(signal)
    const timing = serverTiming(begun, search.by, repository.workFor(signal))
    return await writeBodyInSlices(result, kind, asked, timing, signal)
  }

  function peekResult(asked: RestRequest, { peek, by = '' }: Search) {
    const begun = performance.now()
    const result = peek?.()
    return result && writeBody(result, kind, asked, serverTiming(begun, result.by ?? by))
  }

  /** Reads the response if the turn has time left, and caches it. */
  function peekInTurn(asked: RestRequest, search: Search, tag: string) {
    const ready = gate.turn.hasRoom ? gate.turn.spend(() => peekResult(asked, search)) : undefined
    if (ready !== undefined) cache.set(tag, ready)
    return ready
  }

  /** Returns the file format that the client prefers to pages. */
  function acceptedFile(reply: FastifyReply): ExportFormat | undefined {
    const { type } = givesFiles ? preferred(reply, listFormats) : { type: JSON_TYPE }
    return exportFormats.find((format) => format.type === type)
  }

  /** Takes a slot of the limit, and returns the signal of the request. */
  function enter({ format }: CheckedQuery, reply: FastifyReply, tag?: string): AbortSignal {
    // Clients request many ranges of a file at once.
    const isMade = tag !== undefined && context.made?.has(tag) === true
    if (format === undefined || isMade) gate.enter(reply)
    else gate.enterExports(reply)
    return signalFor(reply, format === undefined ? requestTimeoutMs : exports.timeoutMs)
  }

  /** Returns the response if no I/O is needed. */
  function peekRepresentation(asked: RestRequest, search: Search, tag: string) {
    return isRead
      ? (cache.get(tag) ?? peekInTurn(asked, search, tag))
      : (peekResult(asked, search) ?? cache.get(tag))
  }

  /** Responds synchronously if possible, otherwise in a turn of the queue. */
  function answer(
    asked: RestRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    admitted?: Admitted,
  ): Promise<void> | undefined {
    const { at } = asked
    const query = days.withinReach(asked, request, reply)
    const { format } = query
    const narrowed = query === asked.query ? asked : { ...asked, query }
    const head = heads.of(narrowed, request.apiKey !== null)
    const { tag } = head
    const giveAs = ({ tag, headers, origin }: ReplyHead, representation: Representation): void => {
      if (origin !== null) request.origin = origin
      if (format !== undefined) setPinnedLocation(reply, query, context.basePath, at)
      for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
      send(reply, { ...representation, tag })
    }
    // A 304 needs no read.
    if (request.method !== 'POST' && isNotModified(request, tag)) {
      giveAs(head, jsonBody(null))
      return undefined
    }
    const readUnknown = (within: AbortSignal) =>
      repository.unknown.read(heads.identifiedIn(narrowed), narrowed.reach, at, within)
    if (format !== undefined) {
      const within = admitted?.signal ?? enter(query, reply, tag)
      const give = async (representation: Representation) =>
        giveAs(
          representation.isEmpty && heads.identifiedIn(narrowed).length > 0
            ? heads.ofEmpty(narrowed, head, await readUnknown(within))
            : head,
          representation,
        )
      const sending = { request, reply, tag, give, signal: within }
      return sendFile(context, { resource, query, at, format }, sending)
    }
    /** Sends a response within a turn. */
    const give = (within: AbortSignal) => async (representation: Representation) => {
      const whole = heads.for(narrowed, head, representation)
      giveAs(whole ?? heads.ofEmpty(narrowed, head, await readUnknown(within)), representation)
    }
    const search = searchFor(narrowed)
    const ready = peekRepresentation(narrowed, search, tag)
    if (ready !== undefined) {
      const whole = heads.for(narrowed, head, ready)
      if (whole !== undefined) {
        giveAs(whole, ready)
        return undefined
      }
      if (admitted?.isInTurn) return give(admitted.signal)(ready)
      const within = admitted?.signal ?? enter(query, reply)
      return gate.inTurn(reply, lookingUp, within, () => give(within)(ready))
    }
    const look = (within: AbortSignal) => cache.compute(tag, within, find(narrowed, search))
    const giveFound =
      (within: AbortSignal) =>
      async ({ body, ...metadata }: Representation<WholeBody | LongText>) => {
        if (!(body instanceof LongText)) return await give(within)({ ...metadata, body })
        if (request.method !== 'HEAD') gate.enterExports(reply)
        await give(within)({ ...metadata, body: await longBody(body, reply, exports) })
      }
    const again = (within: AbortSignal) => async (error: unknown) => {
      const newer = await unlessGone(snapshots.insteadOf(at, query.asOf, error), within)
      await days.read(asked.query, newer, within)
      await answer({ ...asked, at: newer }, request, reply, { signal: within, isInTurn: true })
    }
    if (admitted?.isInTurn)
      return look(admitted.signal).then(giveFound(admitted.signal), again(admitted.signal))
    const estimate = search.estimate()
    // Check the slot first; the series would be computed for nothing.
    if ((estimate.sums?.rows ?? 0) > MOST_WHOLE_ROWS && request.method !== 'HEAD')
      gate.requireExportSlot(reply)
    const within = admitted?.signal ?? enter(query, reply)
    const work = workOf(`${kind} ${resource.name}`, estimate)
    return gate.inTurn(reply, work, within, () => look(within).then(giveFound(within), again(within)))
  }

  /** Responds before routing, for a client without a key. Only query and id decide. */
  function peekAnswer(
    raw: RawQuery,
    id: string,
    isCurrent: (tag: string) => boolean,
  ): ReadyReply | undefined {
    const checked = check(raw)
    const at = snapshots.known(checked.asOf)
    if (at === undefined || checked.format !== undefined || !days.isKnown(checked, at)) return undefined
    const request = { query: days.withRange(checked, at), at, id, reach: fullReach }
    const head = heads.of(request, false)
    if (isCurrent(head.tag)) return head
    const representation = peekRepresentation(request, searchFor(request), head.tag)
    const whole = representation && heads.for(request, head, representation)
    if (representation === undefined || whole === undefined) return undefined
    if (whole !== head && isCurrent(whole.tag)) return whole
    const { tag, headers, origin } = whole
    return { tag, headers, origin, representation }
  }

  /** Reads the snapshot or the manifests first; reading and responding share one turn. */
  async function answerLater(
    asked: Omit<RestRequest, 'at'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const signal = enter(asked.query, reply)
    const { asOf, format } = asked.query
    // Files are made outside the turn; a series may take much longer than the log and needs a turn of its own.
    const isInTurn = format === undefined && kind !== 'series'
    const answerAt = (at: Snapshot) => answer({ ...asked, at }, request, reply, { signal, isInTurn })
    const at = await gate.inTurn(reply, readingLog, signal, async () => {
      const at = await snapshots.of(asOf, signal)
      await days.read(asked.query, at, signal)
      if (isInTurn) await answerAt(at)
      return at
    })
    if (!isInTurn) await answerAt(at)
  }

  function replyTo(
    query: CheckedQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> | undefined {
    const id = pathParameter(request, 'id')
    const at = snapshots.known(query.asOf)
    const reach = reachOf(request)
    const answered =
      at === undefined || !days.isKnown(query, at)
        ? answerLater({ query, id, reach }, request, reply)
        : answer({ query, at, id, reach }, request, reply)
    return answered?.then(() => reply)
  }

  const checkedQuery = (request: FastifyRequest, reply: FastifyReply) =>
    check(queryOf(request), acceptedFile(reply))

  function handler(request: FastifyRequest, reply: FastifyReply) {
    return replyTo(withKeysOfBody(checkedQuery(request, reply), request), request, reply)
  }

  /** Handles the path that serves only files. */
  function fileHandler(request: FastifyRequest, reply: FastifyReply) {
    const query = checkedQuery(request, reply)
    if (query.format === undefined) refuse([missingFormat])
    return replyTo(query, request, reply)
  }

  return { handler, fileHandler, fast: { isNegotiated: givesFiles, answer: peekAnswer } }
}
