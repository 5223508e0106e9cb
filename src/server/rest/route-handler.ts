import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasDays } from '../../catalog/embeddings.ts'
import { type ExportFormat, exportFormats } from '../../derive/export-formats.ts'
import type { RestOperation } from '../../derive/operations.ts'
import type { RawQuery } from '../../derive/parameter-text.ts'
import { type CheckedQuery, querySchema } from '../../derive/query-schema.ts'
import { fail } from '../../errors.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { SourceStatus } from '../../sync/source-status.ts'
import { unlessGone } from '../../unless-gone.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Gate } from '../gate/gate.ts'
import { withinLookBack } from '../gate/look-back.ts'
import { readingLog, workOf } from '../gate/work-of.ts'
import { knownNames } from '../known-names.ts'
import { type Offered, preferred } from '../reply/accept.ts'
import { cacheControl } from '../reply/cache-control.ts'
import { isHeld } from '../reply/entity-tag.ts'
import type { FastPath, ReadyReply, ReplyHead } from '../reply/fast-path.ts'
import type { ReplyCache } from '../reply/reply-cache.ts'
import { JSON_TYPE, json, type Representation, send } from '../reply/representation.ts'
import { tagger } from '../reply/request-tag.ts'
import { signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'
import { coverageHeader, missingIn } from './coverage.ts'
import { type Found, handlerOf, type RestRequest, type Search } from './handlers.ts'
import { withKeysOfBody } from './hotspot-keys.ts'
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

  function written({ whole }: Found, { query }: RestRequest, begun: number, work: string) {
    const { type, body } = json(whole, query.integersAsText)
    return { type, body, timing: timed(begun, work) }
  }

  /** Finds the reply to one request, or to several that ask for the same. */
  const find = (asked: RestRequest, search: Search) => async (signal: AbortSignal) => {
    const begun = performance.now()
    const found = await search.find(signal)
    return written(found, asked, begun, workText(search.by, repository.workFor(signal)))
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

  /** What is known of a reply before its body is. Errors: `malformed_request`. */
  function headOf({ query, at, id }: RestRequest, isForOne: boolean): ReplyHead {
    refuseUnknownNames(query.filters, at.table(resource))
    const { format } = query
    const { coverages } = repository
    const tag = tagOf(query, at, id, format?.type ?? JSON_TYPE)
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

  /** Finds what is not known in the turn of the request; for one that has waited already, `signal` is given. */
  function answer(
    asked: RestRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    signal?: AbortSignal,
  ): Promise<void> | undefined {
    const { at } = asked
    const query = settled(asked, request, reply)
    const { format } = query
    const own = query === asked.query ? asked : { ...asked, query }
    const { tag, headers, origin } = headOf(own, request.apiKey !== null)
    if (origin !== null) request.origin = origin
    const give = (representation: Representation): void => {
      for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
      send(reply, { ...representation, tag })
    }
    // For a caller who has it already, nothing is looked up.
    if (request.method !== 'POST' && isHeld(request, tag)) {
      give(json(null))
      return undefined
    }
    if (format !== undefined) {
      const sending = { request, reply, give, signal: signal ?? enter(query, reply) }
      return sendFile(repository, { resource, query, at, format }, sending, exports)
    }
    const search = searchFor(own)
    const ready = readyFor(own, search, tag)
    if (ready !== undefined) {
      give(ready)
      return undefined
    }
    const look = (within: AbortSignal) => cache.found(tag, within, find(own, search))
    const again = (within: AbortSignal) => async (error: unknown) => {
      const newer = await unlessGone(snapshots.insteadOf(at, query.asOf, error), within)
      await unlessGone(repository.dayRanges.read(resource, asked.query, newer, within), within)
      await answer({ ...asked, at: newer }, request, reply, within)
    }
    if (signal !== undefined) return look(signal).then(give, again(signal))
    const within = enter(query, reply)
    const work = workOf(`${kind} ${resource.name}`, search.estimate())
    return gate.inTurn(reply, work, within, () => look(within).then(give, again(within)))
  }

  /** The same for a caller without a key, of what needs no waiting; nothing of the request but its query and id decides. */
  function answerAtOnce(raw: RawQuery, id: string, isHeld: (tag: string) => boolean): ReadyReply | undefined {
    const checked = check(raw)
    const at = snapshots.known(checked.asOf)
    if (at === undefined || checked.format !== undefined || !isKnown(checked, at)) return undefined
    const query = checked.days === undefined ? checked : { ...checked, filters: withoutDays(checked, at) }
    const asked = { query, at, id }
    const { tag, headers, origin } = headOf(asked, false)
    if (isHeld(tag)) return { tag, headers, origin }
    const representation = readyFor(asked, searchFor(asked), tag)
    return representation && { tag, headers, origin, representation }
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

  /** For a snapshot or manifests that have to be read first: reading them and answering is one turn. Files leave it before they are made. */
  async function answerLater(
    asked: Omit<RestRequest, 'at'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const signal = enter(asked.query, reply)
    const { asOf, format } = asked.query
    const answerAt = (at: Snapshot) => answer({ ...asked, at }, request, reply, signal)
    const at = await gate.inTurn(reply, readingLog, signal, async () => {
      const at = await snapshots.of(asOf, signal)
      // Where it cannot be read, the header says so.
      if (!isCoverageKnown(asked.query, at))
        await unlessGone(
          repository.coverages.read(at, signal, resource).catch(() => {}),
          signal,
        )
      await unlessGone(repository.dayRanges.read(resource, asked.query, at, signal), signal)
      if (format === undefined) await answerAt(at)
      return at
    })
    if (format !== undefined) await answerAt(at)
  }

  function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined {
    const query = withKeysOfBody(check(request.query as RawQuery, acceptedFile(reply)), request)
    const { id = '' } = request.params as { readonly id?: string }
    const at = snapshots.known(query.asOf)
    const answered =
      at === undefined || !isKnown(query, at)
        ? answerLater({ query, id }, request, reply)
        : answer({ query, at, id }, request, reply)
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
