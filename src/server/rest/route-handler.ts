import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasDays } from '../../catalog/embeddings.ts'
import { type ExportFormat, exportFormats } from '../../derive/export-formats.ts'
import { ListedObject } from '../../derive/listed-object.ts'
import type { RestOperation } from '../../derive/operations.ts'
import type { RawQuery } from '../../derive/parameter-text.ts'
import { type CheckedQuery, querySchema } from '../../derive/query-schema.ts'
import { fail } from '../../errors.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import { everything, identifiedBy, identifiedBySeries, type Unknown } from '../../repository/unknown.ts'
import { runInSlices } from '../../slices.ts'
import type { SourceStatus } from '../../sync/source-status.ts'
import { unlessGone } from '../../unless-gone.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Gate } from '../gate/gate.ts'
import { reachOf, withinLookBack } from '../gate/look-back.ts'
import { lookingUp, readingLog, workOf } from '../gate/work-of.ts'
import { knownNames } from '../known-names.ts'
import { type Offered, preferred } from '../reply/accept.ts'
import { cacheControl, isPinned, revalidated } from '../reply/cache-control.ts'
import { digestOf, isHeld } from '../reply/entity-tag.ts'
import type { FastPath, ReadyReply, ReplyHead } from '../reply/fast-path.ts'
import type { ReplyCache } from '../reply/reply-cache.ts'
import { JSON_TYPE, json, LongText, type Representation, send, type Whole } from '../reply/representation.ts'
import { tagger } from '../reply/request-tag.ts'
import { isTold, tagOfEmpty, UNKNOWN_HEADER, unknownText } from '../reply/unknown.ts'
import { signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'
import { coverageHeader, missingIn } from './coverage.ts'
import { type Found, handlerOf, matchesNothing, type RestRequest, type Search } from './handlers.ts'
import { withKeysOfBody } from './hotspot-keys.ts'
import { longBody } from './long-body.ts'
import { type ExportLimits, sendFile } from './send-file.ts'

/** What handlers need: the verbs, the snapshots, and how long an answer may take. */
export interface RestContext {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly exports: ExportLimits
  readonly dialect: Dialect
  readonly gate: Gate
  readonly cache: ReplyCache
  readonly fastPath: FastPath
  /** What stands before the paths of the server, in links. */
  readonly basePath: string
  /** What the lake is synchronized with; missing without a state folder. */
  readonly sources?: (() => Promise<readonly SourceStatus[]>) | undefined
}

/** A series of more rows is too long to be kept: it has more than a megabyte. */
const MOST_WHOLE_ROWS = 4000

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
  const tagOf = tagger(resource, [dialect.name, kind])
  const cacheControlOf = cacheControl(resource)
  const refuseUnknownNames = dialect.queries.refusesUnknown ? knownNames(resource) : () => {}
  const searchFor = handlerOf(operation, repository, dialect)
  const givesFiles = kind === 'list' && dialect.queries.givesFiles
  const isRead = kind === 'list' || kind === 'find'
  const knowsDays = hasDays(resource) && kind !== 'find'

  function written(found: Found, { query }: RestRequest, begun: number, work: string) {
    const { type, body } = json(found.whole, query.integersAsText)
    const isEmpty = (kind === 'list' || kind === 'totals') && matchesNothing(found)
    const more = { ...(isEmpty && { isEmpty }), ...(found.unknown && { unknown: found.unknown }) }
    return { type, body, timing: timed(begun, work), ...more }
  }

  /** The same in slices; a long list is written while it is sent. */
  async function writtenLater(
    found: Found,
    asked: RestRequest,
    signal: AbortSignal,
    begun: number,
    work: string,
  ): Promise<Representation<Whole | LongText>> {
    const { whole, unknown } = found
    const { integersAsText } = asked.query
    if (!(whole instanceof ListedObject)) return written(found, asked, begun, work)
    const more = { type: JSON_TYPE, timing: timed(begun, work), ...(unknown && { unknown }) }
    if (whole.count > MOST_WHOLE_ROWS)
      return { ...more, body: new LongText(() => whole.pieces(integersAsText)) }
    return { ...more, body: await runInSlices(whole.textSteps(integersAsText), signal) }
  }

  /** Finds the reply to one request, or to several that ask for the same. */
  const find = (asked: RestRequest, search: Search) => async (signal: AbortSignal) => {
    const begun = performance.now()
    const found = await search.find(signal)
    const work = workText(search.by, repository.workFor(signal))
    return await writtenLater(found, asked, signal, begun, work)
  }

  function findAtOnce(asked: RestRequest, { atOnce, by = '' }: Search) {
    const begun = performance.now()
    const found = atOnce?.()
    return found && written(found, asked, begun, found.by ?? by)
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
  function enter({ format }: CheckedQuery, reply: FastifyReply): AbortSignal {
    if (format === undefined) gate.enter(reply)
    else gate.enterExports(reply)
    return signalOf(reply, format === undefined ? requestTimeoutMs : exports.timeoutMs)
  }

  /** What an empty reply is about: keys, addresses and names that nothing may have. */
  const identifiedIn = ({ query }: RestRequest) =>
    kind === 'list' || kind === 'totals' ? identifiedBy(resource, query.filters) : []

  /** The tag of a series follows from all tables that may have its hotspots, too. */
  function tagFor({ query, at, id, reach }: RestRequest): string {
    const tag = tagOf(query, at, id, query.format?.type ?? JSON_TYPE)
    const { series, filters } = query
    const asked = series === undefined ? [] : identifiedBySeries(resource, filters, series)
    return asked.length === 0 ? tag : digestOf(`${tag}\0${repository.unknown.originOf(asked, reach, at)}`)
  }

  /** The head of an empty reply, whose tag follows from what is unknown. What could not be told is not kept. */
  function headOfEmpty({ query }: RestRequest, head: ReplyHead, unknown: Unknown): ReplyHead {
    const { tag, headers, origin } = withUnknown(head, unknown)
    const own = tagOfEmpty(tag, unknown)
    // What nothing has follows from the tables of now.
    const kept = isPinned(query.asOf) ? headers : revalidated(headers)
    return { tag: own, headers: kept, origin: origin && { ...origin, tag: own } }
  }

  /** A head that says what is unknown. What could not be told is not kept, and has another tag than what can. */
  function withUnknown(head: ReplyHead, unknown: Unknown): ReplyHead {
    const text = unknownText(unknown)
    if (text === undefined) return head
    const headers = [...head.headers, UNKNOWN_HEADER, text]
    if (isTold(unknown)) return { ...head, headers }
    return { tag: tagOfEmpty(head.tag, unknown), headers: revalidated(headers), origin: null }
  }

  /** The head of a reply that is known; undefined when it has to be waited for what is unknown. */
  function headFor(asked: RestRequest, head: ReplyHead, { isEmpty, unknown }: Representation) {
    if (unknown !== undefined) return withUnknown(head, unknown)
    const identified = isEmpty ? identifiedIn(asked) : []
    if (identified.length === 0) return head
    const found = repository.unknown.known(identified, asked.reach, asked.at)
    return found && headOfEmpty(asked, head, found)
  }

  /** What is known of a reply before its body is. Errors: `malformed_request`. */
  function headOf(asked: RestRequest, isForOne: boolean): ReplyHead {
    const { query, at } = asked
    refuseUnknownNames(query.filters, at.table(resource))
    const { format } = query
    const { coverages } = repository
    const tag = tagFor(asked)
    const asksDays = tellsDays(query)
    const known = asksDays ? coverages.known(resource, at) : undefined
    const missing = asksDays ? missingIn(coverages, resource, query.filters, at, known) : undefined
    // Where manifests could not be read, the next request tries again.
    const isLacking = asksDays && known === undefined
    const coverage = format && coverageHeader(coverages, resource, query, at)
    const headers = ['ledgerlake-snapshot', at.id]
    headers.push('cache-control', cacheControlOf(query, at, isForOne, isLacking))
    if (missing !== undefined) headers.push('ledgerlake-missing', missing)
    if (coverage !== undefined) headers.push('ledgerlake-coverage', coverage)
    return { tag, headers, origin: query.asOf === undefined && !isLacking ? { at, tag } : null }
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
    const query = settled(asked, request, reply)
    const { format } = query
    const own = query === asked.query ? asked : { ...asked, query }
    const head = headOf(own, request.apiKey !== null)
    const { tag } = head
    const giveAs = ({ tag, headers, origin }: ReplyHead, representation: Representation): void => {
      if (origin !== null) request.origin = origin
      for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
      send(reply, { ...representation, tag })
    }
    // For a caller who has it already, nothing is looked up.
    if (request.method !== 'POST' && isHeld(request, tag)) {
      giveAs(head, json(null))
      return undefined
    }
    const readUnknown = (within: AbortSignal) =>
      repository.unknown.read(identifiedIn(own), own.reach, at, within)
    if (format !== undefined) {
      const within = waited?.signal ?? enter(query, reply)
      const give = async (representation: Representation) =>
        giveAs(
          representation.isEmpty && identifiedIn(own).length > 0
            ? headOfEmpty(own, head, await readUnknown(within))
            : head,
          representation,
        )
      const sending = { request, reply, give, signal: within }
      return sendFile(repository, { resource, query, at, format }, sending, exports)
    }
    /** Gives a reply within a turn. */
    const give = (within: AbortSignal) => async (representation: Representation) => {
      const whole = headFor(own, head, representation)
      giveAs(whole ?? headOfEmpty(own, head, await readUnknown(within)), representation)
    }
    const search = searchFor(own)
    const ready = readyFor(own, search, tag)
    if (ready !== undefined) {
      const whole = headFor(own, head, ready)
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
      await unlessGone(repository.dayRanges.read(resource, asked.query, newer, within), within)
      await answer({ ...asked, at: newer }, request, reply, { signal: within, isInTurn: true })
    }
    if (waited?.isInTurn) return look(waited.signal).then(giveFound(waited.signal), again(waited.signal))
    const estimate = search.estimate()
    // A long series would be computed only to be refused.
    if ((estimate.sums?.rows ?? 0) > MOST_WHOLE_ROWS && request.method !== 'HEAD')
      gate.requireExportRoom(reply)
    const within = waited?.signal ?? enter(query, reply)
    const work = workOf(`${kind} ${resource.name}`, estimate)
    return gate.inTurn(reply, work, within, () => look(within).then(giveFound(within), again(within)))
  }

  /** The same for a caller without a key, of what needs no waiting; nothing of the request but its query and id decides. */
  function answerAtOnce(raw: RawQuery, id: string, isHeld: (tag: string) => boolean): ReadyReply | undefined {
    const checked = check(raw)
    const at = snapshots.known(checked.asOf)
    if (at === undefined || checked.format !== undefined || !isKnown(checked, at)) return undefined
    const query = checked.days === undefined ? checked : { ...checked, filters: withoutDays(checked, at) }
    const asked = { query, at, id, reach: everything }
    const head = headOf(asked, false)
    if (isHeld(head.tag)) return head
    const representation = readyFor(asked, searchFor(asked), head.tag)
    const own = representation && headFor(asked, head, representation)
    if (representation === undefined || own === undefined) return undefined
    return isHeld(own.tag) ? own : { ...own, representation }
  }

  /** Whether the reply says which days its range lacks: sums do, and whole lists. */
  function tellsDays({ format }: CheckedQuery): boolean {
    return knowsDays && (kind !== 'list' || format !== undefined)
  }

  function isCoverageKnown(query: CheckedQuery, at: Snapshot): boolean {
    return !tellsDays(query) || repository.coverages.known(resource, at) !== undefined
  }

  /** Whether the days that are asked for and those that the range lacks need no reading. */
  function isKnown(query: CheckedQuery, at: Snapshot): boolean {
    if (query.days !== undefined && repository.dayRanges.known(resource, query, at) === undefined)
      return false
    return isCoverageKnown(query, at)
  }

  /** Filters with the range of the days, which was read. */
  function withoutDays(query: CheckedQuery, at: Snapshot): CheckedQuery['filters'] {
    return repository.dayRanges.known(resource, query, at) ?? fail('internal', 'days were not read')
  }

  /** The query as far as the caller's key looks back, with a range instead of days. */
  function settled({ query, at }: RestRequest, request: FastifyRequest, reply: FastifyReply): CheckedQuery {
    const given = query.days === undefined ? query.filters : withoutDays(query, at)
    const { filters, from: fromServed } = withinLookBack(resource, given, request, reply)
    return filters === query.filters ? query : { ...query, filters, fromServed }
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
      // Where it cannot be read, the header says so.
      if (!isCoverageKnown(asked.query, at))
        await unlessGone(
          repository.coverages.read(at, signal, resource).catch(() => {}),
          signal,
        )
      await unlessGone(repository.dayRanges.read(resource, asked.query, at, signal), signal)
      if (isInTurn) await answerAt(at)
      return at
    })
    if (!isInTurn) await answerAt(at)
  }

  function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined {
    const query = withKeysOfBody(check(request.query as RawQuery, acceptedFile(reply)), request)
    const { id = '' } = request.params as { readonly id?: string }
    const at = snapshots.known(query.asOf)
    const reach = reachOf(request)
    const answered =
      at === undefined || !isKnown(query, at)
        ? answerLater({ query, id, reach }, request, reply)
        : answer({ query, at, id, reach }, request, reply)
    return answered?.then(() => reply)
  }

  return { handler, fast: { isNegotiated: givesFiles, answer: answerAtOnce } }
}

/** The value of Server-Timing for an answer that began at `begun`: who gave it, and what was read for it. */
export function timingOf(begun: number, known: string, work: ReturnType<Repository['workFor']>): string {
  return timed(begun, workText(known, work))
}

function timed(begun: number, work: string): string {
  return `lake;dur=${(performance.now() - begun).toFixed(2)};desc="${work}"`
}

/** Who answered, and what was read for it. */
function workText(known: string | undefined, work: ReturnType<Repository['workFor']>): string {
  const { by = known, statements, files } = work
  return [by, ...(statements === 0 ? [] : [`statements ${statements}`, `files ${files}`])].join(', ')
}
