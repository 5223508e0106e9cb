import type { FastifyReply, FastifyRequest } from 'fastify'
import { everything } from '../../answers/rows/unknown.ts'
import { type RawQuery, refuse } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { type ExportFormat, exportFormats } from '../../catalog/export-formats.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { missingFormat } from '../contract/export-parameters.ts'
import type { RestOperation } from '../contract/operations.ts'
import { type CheckedQuery, querySchema } from '../contract/query-schema.ts'
import { reachOf } from '../gate/look-back.ts'
import { lookingUp, readingLog, workOf } from '../gate/work-of.ts'
import { signalFor } from '../http/request-signal.ts'
import { type Offered, preferred } from '../reply/accept.ts'
import { isHeld } from '../reply/entity-tag.ts'
import type { ReadyReply, ReplyHead } from '../reply/fast-path.ts'
import { JSON_TYPE, json, LongText, type Representation, send, type Whole } from '../reply/representation.ts'
import type { RestContext } from './context.ts'
import { daysOfQueries } from './days-of-query.ts'
import { handlerOf, type RestRequest, type Search } from './handlers.ts'
import { withKeysOfBody } from './hotspot-keys.ts'
import { longBody } from './long-body.ts'
import { MOST_WHOLE_ROWS, writeBody, writeBodyInSlices } from './reply-body.ts'
import { openReplyHeads } from './reply-heads.ts'
import { sendFile, setPinnedAddress } from './send-file.ts'
import { timingOf } from './server-timing.ts'

/** A request that has a signal already, and whether it is in its turn of the queue. */
interface Waited {
  readonly signal: AbortSignal
  readonly isInTurn: boolean
}

/** What a list is given in; pages for those who accept none. */
const offered: readonly [Offered, ...Offered[]] = [{ type: JSON_TYPE }, ...exportFormats]

/**
 * The route handler of an operation: checks the query before anything is looked up, takes the snapshot once, and replies in
 * the same turn where nothing has to be waited for; only other requests count into the concurrency limit.
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

  /** Finds the reply to one request, or to several that ask for the same. */
  const find = (asked: RestRequest, search: Search) => async (signal: AbortSignal) => {
    const begun = performance.now()
    const found = await search.find(signal)
    const timing = timingOf(begun, search.by, repository.workFor(signal))
    return await writeBodyInSlices(found, kind, asked, timing, signal)
  }

  function findAtOnce(asked: RestRequest, { atOnce, by = '' }: Search) {
    const begun = performance.now()
    const found = atOnce?.()
    return found && writeBody(found, kind, asked, timingOf(begun, found.by ?? by))
  }

  /** The same of what is read for it, which is remembered; undefined too when the turn has no room for it. */
  function readAtOnce(asked: RestRequest, search: Search, tag: string) {
    const ready = gate.turn.hasRoom ? gate.turn.spend(() => findAtOnce(asked, search)) : undefined
    if (ready !== undefined) cache.keep(tag, ready)
    return ready
  }

  /** The file that the caller prefers to pages. */
  function acceptedFile(reply: FastifyReply): ExportFormat | undefined {
    const { type } = givesFiles ? preferred(reply, offered) : { type: JSON_TYPE }
    return exportFormats.find((format) => format.type === type)
  }

  /** Enters the limit for requests of its kind; gives what ends with its deadline, or with its caller. */
  function enter({ format }: CheckedQuery, reply: FastifyReply, tag?: string): AbortSignal {
    // Readers ask for many parts of a file at once.
    const isMade = tag !== undefined && context.made?.has(tag) === true
    if (format === undefined || isMade) gate.enter(reply)
    else gate.enterExports(reply)
    return signalFor(reply, format === undefined ? requestTimeoutMs : exports.timeoutMs)
  }

  /** The reply where nothing has to be waited for. */
  function readyFor(asked: RestRequest, search: Search, tag: string) {
    return isRead
      ? (cache.known(tag) ?? readAtOnce(asked, search, tag))
      : (findAtOnce(asked, search) ?? cache.known(tag))
  }

  /** Finds what is not known in the turn of the request, or in a turn of the queue. */
  function answer(
    asked: RestRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    waited?: Waited,
  ): Promise<void> | undefined {
    const { at } = asked
    const query = days.withinReach(asked, request, reply)
    const { format } = query
    const own = query === asked.query ? asked : { ...asked, query }
    const head = heads.of(own, request.apiKey !== null)
    const { tag } = head
    const giveAs = ({ tag, headers, origin }: ReplyHead, representation: Representation): void => {
      if (origin !== null) request.origin = origin
      if (format !== undefined) setPinnedAddress(reply, query, context.basePath, at)
      for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
      send(reply, { ...representation, tag })
    }
    // For a caller who has it already, nothing is looked up.
    if (request.method !== 'POST' && isHeld(request, tag)) {
      giveAs(head, json(null))
      return undefined
    }
    const readUnknown = (within: AbortSignal) =>
      repository.unknown.read(heads.identifiedIn(own), own.reach, at, within)
    if (format !== undefined) {
      const within = waited?.signal ?? enter(query, reply, tag)
      const give = async (representation: Representation) =>
        giveAs(
          representation.isEmpty && heads.identifiedIn(own).length > 0
            ? heads.ofEmpty(own, head, await readUnknown(within))
            : head,
          representation,
        )
      const sending = { request, reply, tag, give, signal: within }
      return sendFile(context, { resource, query, at, format }, sending)
    }
    /** Gives a reply within a turn. */
    const give = (within: AbortSignal) => async (representation: Representation) => {
      const whole = heads.for(own, head, representation)
      giveAs(whole ?? heads.ofEmpty(own, head, await readUnknown(within)), representation)
    }
    const search = searchFor(own)
    const ready = readyFor(own, search, tag)
    if (ready !== undefined) {
      const whole = heads.for(own, head, ready)
      if (whole !== undefined) {
        giveAs(whole, ready)
        return undefined
      }
      if (waited?.isInTurn) return give(waited.signal)(ready)
      const within = waited?.signal ?? enter(query, reply)
      return gate.inTurn(reply, lookingUp, within, () => give(within)(ready))
    }
    const look = (within: AbortSignal) => cache.found(tag, within, find(own, search))
    const giveFound =
      (within: AbortSignal) =>
      async ({ body, ...others }: Representation<Whole | LongText>) => {
        if (!(body instanceof LongText)) return await give(within)({ ...others, body })
        if (request.method !== 'HEAD') gate.enterExports(reply)
        await give(within)({ ...others, body: await longBody(body, reply, exports) })
      }
    const again = (within: AbortSignal) => async (error: unknown) => {
      const newer = await unlessGone(snapshots.insteadOf(at, query.asOf, error), within)
      await days.read(asked.query, newer, within)
      await answer({ ...asked, at: newer }, request, reply, { signal: within, isInTurn: true })
    }
    if (waited?.isInTurn) return look(waited.signal).then(giveFound(waited.signal), again(waited.signal))
    const estimate = search.estimate()
    // A long series would be computed only to be refused.
    if ((estimate.sums?.rows ?? 0) > MOST_WHOLE_ROWS && request.method !== 'HEAD')
      gate.requireExportSlot(reply)
    const within = waited?.signal ?? enter(query, reply)
    const work = workOf(`${kind} ${resource.name}`, estimate)
    return gate.inTurn(reply, work, within, () => look(within).then(giveFound(within), again(within)))
  }

  /** The same for a caller without a key, of what needs no waiting; nothing of the request but its query and id decides. */
  function answerAtOnce(raw: RawQuery, id: string, isHeld: (tag: string) => boolean): ReadyReply | undefined {
    const checked = check(raw)
    const at = snapshots.known(checked.asOf)
    if (at === undefined || checked.format !== undefined || !days.isKnown(checked, at)) return undefined
    const asked = { query: days.withRange(checked, at), at, id, reach: everything }
    const head = heads.of(asked, false)
    if (isHeld(head.tag)) return head
    const representation = readyFor(asked, searchFor(asked), head.tag)
    const own = representation && heads.for(asked, head, representation)
    if (representation === undefined || own === undefined) return undefined
    if (own !== head && isHeld(own.tag)) return own
    const { tag, headers, origin } = own
    return { tag, headers, origin, representation }
  }

  /** For a snapshot or manifests that have to be read first: reading them and answering is one turn. */
  async function answerLater(
    asked: Omit<RestRequest, 'at'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const signal = enter(asked.query, reply)
    const { asOf, format } = asked.query
    // Files leave the turn before they are made; a series needs one of its own, since it may take much longer than the log.
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
    const { id = '' } = request.params as { readonly id?: string }
    const at = snapshots.known(query.asOf)
    const reach = reachOf(request)
    const answered =
      at === undefined || !days.isKnown(query, at)
        ? answerLater({ query, id, reach }, request, reply)
        : answer({ query, at, id, reach }, request, reply)
    return answered?.then(() => reply)
  }

  const queryOf = (request: FastifyRequest, reply: FastifyReply) =>
    check(request.query as RawQuery, acceptedFile(reply))

  function handler(request: FastifyRequest, reply: FastifyReply) {
    return replyTo(withKeysOfBody(queryOf(request, reply), request), request, reply)
  }

  /** The handler of the address that has files alone. */
  function fileHandler(request: FastifyRequest, reply: FastifyReply) {
    const query = queryOf(request, reply)
    if (query.format === undefined) refuse([missingFormat])
    return replyTo(query, request, reply)
  }

  return { handler, fileHandler, fast: { isNegotiated: givesFiles, answer: answerAtOnce } }
}
