import type { FastifyReply, FastifyRequest } from 'fastify'
import { unlessGone } from '../../base/unless-gone.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { ExportFormat } from '../../catalog/export-formats.ts'
import type { RestOperation } from '../contract/operations.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { FROM_HEADER } from '../gate/look-back.ts'
import { lookingUp, readingLog, workOf } from '../gate/work-of.ts'
import { signalFor } from '../http/request-signal.ts'
import type { ReplyHead } from '../pipeline/direct-route.ts'
import { isNotModified } from '../reply/entity-tag.ts'
import { jsonBody, LongText, type Representation, send, type WholeBody } from '../reply/representation.ts'
import { serverTiming } from '../reply/server-timing.ts'
import { setHeaders } from '../reply/set-headers.ts'
import type { RestContext } from './context.ts'
import type { RestRequest } from './handlers.ts'
import type { Plan } from './plan.ts'
import type { Planner } from './planner.ts'
import { longBody } from './query/long-body.ts'
import { MOST_WHOLE_ROWS, writeBodyInSlices } from './reply-body.ts'
import { fileName, sendFile, setPinnedLocation } from './send-file.ts'

/** A routed request and its response. */
interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** State of a request that has passed the concurrency limit. */
interface Admitted {
  readonly signal: AbortSignal
  readonly isInTurn: boolean
}

/** Sends the responses of one operation. */
export interface Responder {
  /** Responds synchronously if possible, otherwise in a turn of the queue. */
  respond(plan: Plan, exchange: Exchange): Promise<void> | undefined
  /** Reads the snapshot or the manifests first; reading and responding share one turn. */
  respondLater(asked: Omit<RestRequest, 'at'>, exchange: Exchange): Promise<void>
}

export function openResponder(
  context: RestContext,
  { resource, kind }: RestOperation,
  planner: Planner,
): Responder {
  const { repository, snapshots, cache, gate, requestTimeoutMs, exports } = context
  const { heads } = planner

  /** Computes the response for one or several equal requests. */
  const computing =
    ({ request, search }: Plan) =>
    async (signal: AbortSignal) => {
      const begun = performance.now()
      const result = await search.find(signal)
      const timing = serverTiming(begun, search.by, repository.workFor(signal))
      return await writeBodyInSlices(result, kind, request, timing, signal)
    }

  /** Format of a whole list. Series are files of few rows, which are made like their JSON. */
  const listFormat = ({ format }: CheckedQuery) => (kind === 'list' ? format : undefined)

  /** Takes a slot of the limit, and returns the signal of the request. */
  function enter(query: CheckedQuery, reply: FastifyReply, tag?: string): AbortSignal {
    const format = listFormat(query)
    // Clients request many ranges of a file at once.
    const isMade = tag !== undefined && context.made?.has(tag) === true
    if (format === undefined || isMade) gate.enter(reply)
    else gate.enterExports(reply)
    return signalFor(reply, format === undefined ? requestTimeoutMs : exports.timeoutMs)
  }

  const readUnknown = ({ request }: Plan, within: AbortSignal) =>
    repository.unknown.read(heads.identifiedIn(request), request.reach, request.at, within)

  function sendAs(
    { tag, headers, origin }: ReplyHead,
    { request: { query, at } }: Plan,
    representation: Representation,
    { request, reply }: Exchange,
  ): void {
    if (origin !== null) request.origin = origin
    if (query.format !== undefined && request.method !== 'POST')
      setPinnedLocation(reply, query, context.basePath, at)
    if (query.format !== undefined && kind === 'series')
      reply.header('Content-Disposition', `attachment; filename="${fileName(resource, query)}"`)
    setHeaders(reply, headers)
    send(reply, { ...representation, tag })
  }

  /** Sends a response that was read. The request has its turn of the queue. */
  async function respondInTurn(
    plan: Plan,
    representation: Representation,
    exchange: Exchange,
    within: AbortSignal,
  ): Promise<void> {
    const { request, head } = plan
    const whole = heads.for(request, head, representation)
    sendAs(
      whole ?? heads.ofEmpty(request, head, await readUnknown(plan, within)),
      plan,
      representation,
      exchange,
    )
  }

  function respondWithFile(plan: Plan, format: ExportFormat, exchange: Exchange, signal: AbortSignal) {
    const { request, head } = plan
    const give = async (representation: Representation) => {
      const hasUnknown = representation.isEmpty && heads.identifiedIn(request).length > 0
      const whole = hasUnknown ? heads.ofEmpty(request, head, await readUnknown(plan, signal)) : head
      sendAs(whole, plan, representation, exchange)
    }
    const { query, at } = request
    return sendFile(context, { resource, query, at, format }, { ...exchange, tag: head.tag, give, signal })
  }

  /** Reads the response, once for all equal requests of this moment, and sends it. */
  async function readAndRespond(plan: Plan, exchange: Exchange, signal: AbortSignal): Promise<void> {
    const { reply, request } = exchange
    let result: Representation<WholeBody | LongText>
    try {
      result = await cache.compute(plan.head.tag, signal, computing(plan))
    } catch (error) {
      // If a vacuum removed files of this snapshot, the newest one answers.
      const { asked } = plan
      const newer = await unlessGone(snapshots.insteadOf(asked.at, asked.query.asOf, error), signal)
      const again = await planner.planLater({ ...asked, at: newer }, request.apiKey, signal)
      return await respond(again, exchange, { signal, isInTurn: true })
    }
    const { body, ...metadata } = result
    if (!(body instanceof LongText)) return await respondInTurn(plan, { ...metadata, body }, exchange, signal)
    if (request.method !== 'HEAD') gate.enterExports(reply)
    const pieces = await longBody(body, reply, exports)
    await respondInTurn(plan, { ...metadata, body: pieces }, exchange, signal)
  }

  /** Responds synchronously if possible, otherwise in a turn of the queue. */
  function respond(plan: Plan, exchange: Exchange, admitted?: Admitted): Promise<void> | undefined {
    const { request, reply } = exchange
    const { head } = plan
    const { query } = plan.request
    if (query.fromServed !== undefined) reply.header(FROM_HEADER, writeInstant(query.fromServed))
    // A 304 needs no read.
    if (request.method !== 'POST' && isNotModified(request, head.tag)) {
      sendAs(head, plan, jsonBody(null), exchange)
      return undefined
    }
    const format = listFormat(query)
    if (format !== undefined)
      return respondWithFile(plan, format, exchange, admitted?.signal ?? enter(query, reply, head.tag))
    const ready = planner.peek(plan)
    if (ready !== undefined) {
      const whole = heads.for(plan.request, head, ready)
      if (whole !== undefined) {
        sendAs(whole, plan, ready, exchange)
        return undefined
      }
      if (admitted?.isInTurn) return respondInTurn(plan, ready, exchange, admitted.signal)
      const within = admitted?.signal ?? enter(query, reply)
      return gate.inTurn(reply, lookingUp, within, () => respondInTurn(plan, ready, exchange, within))
    }
    if (admitted?.isInTurn) return readAndRespond(plan, exchange, admitted.signal)
    const estimate = plan.search.estimate()
    // Refuse before computing if no export slot is free.
    if ((estimate.sums?.rows ?? 0) > MOST_WHOLE_ROWS && request.method !== 'HEAD')
      gate.requireExportSlot(reply)
    const within = admitted?.signal ?? enter(query, reply)
    const work = workOf(`${kind} ${resource.name}`, estimate)
    return gate.inTurn(reply, work, within, () => readAndRespond(plan, exchange, within))
  }

  /** Reads the snapshot or the manifests first; reading and responding share one turn. */
  async function respondLater(asked: Omit<RestRequest, 'at'>, exchange: Exchange): Promise<void> {
    const { request, reply } = exchange
    const signal = enter(asked.query, reply)
    const { asOf } = asked.query
    // Files are made outside the turn; a series may take much longer than the log and needs a turn of its own.
    const isInTurn = listFormat(asked.query) === undefined && kind !== 'series'
    const plan = await gate.inTurn(reply, readingLog, signal, async () => {
      const at = await snapshots.of(asOf, signal)
      const plan = await planner.planLater({ ...asked, at }, request.apiKey, signal)
      if (isInTurn) await respond(plan, exchange, { signal, isInTurn })
      return plan
    })
    if (!isInTurn) await respond(plan, exchange, { signal, isInTurn })
  }

  return { respond, respondLater }
}
