import { setTimeout } from 'node:timers/promises'
import { StoreFault } from '../../object-store/object-store.ts'
import type { FollowedResource } from './followed-resources.ts'
import { readPage, type ServicePage } from './read-page.ts'
import type { ServiceClient, ServiceReply } from './service-client.ts'
import type { WalkLog } from './walk-log.ts'
import { WalkTally } from './walk-tally.ts'

export interface WalkRequest {
  readonly resource: FollowedResource
  /** Of the service, up to the network. */
  readonly address: string
  readonly client: ServiceClient
  /** Whether the list must be known to be whole, which takes two walks where the service names no snapshot. */
  readonly mustBeWhole: boolean
  /** Whether nothing is to be done where the list is of this snapshot. */
  readonly isDone: (snapshot: string) => boolean
  readonly onProgress?: ((progress: WalkProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

interface WalkProgress {
  readonly walk: number
  readonly page: number
  readonly totalPages: number
  readonly records: number
}

/** The most records that the specification has on a page. */
const PER_PAGE = 100
const MOST_WALKS = 5
const MOST_RESTARTS = 3
/** Pages in a row that bring nothing new: the service repeats itself. */
const MOST_REPEATING = 20
/** A list may grow while it is walked through, but not without end. */
const MOST_GROWTH = { times: 2, more: 100 }
/** Pages older than this are fetched again. */
const OLDEST_MS = 24 * 3_600_000

/**
 * Walks through a list from where it was left until it is known to be whole, or, where that cannot be known, until a walk
 * brings nothing new. Undefined when the service still has the snapshot that is done.
 * Errors: `StoreFault`, the reason of the signal.
 */
export async function walkList(request: WalkRequest, log: WalkLog): Promise<WalkTally | undefined> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      const walked = await readLog(request, log)
      return (await walkOn(request, log, walked)) ? walked : undefined
    } catch (error) {
      const isMoved = error instanceof StoreFault && error.kind === 'changed'
      if (!isMoved || restarts >= MOST_RESTARTS) throw error
      await log.remove()
      await setTimeout(0, undefined, { signal: request.signal })
    }
  }
}

async function readLog({ resource }: WalkRequest, log: WalkLog): Promise<WalkTally> {
  const walked = new WalkTally(resource.key)
  for await (const page of log.pages()) walked.add(page)
  if ((walked.walk?.first.atMs ?? Number.POSITIVE_INFINITY) > Date.now() - OLDEST_MS) return walked
  if (walked.walk === undefined) return walked
  await log.remove()
  return new WalkTally(resource.key)
}

/** Gives whether there is anything to be done. */
async function walkOn(request: WalkRequest, log: WalkLog, walked: WalkTally): Promise<boolean> {
  while (!isEnough(request, walked)) {
    const { walk } = walked
    const isNew = walk === undefined || walk.last.next === null
    const number = isNew ? (walk?.walk ?? 0) + 1 : walk.walk
    const page = isNew ? 1 : (walk.last.next ?? 1)
    const asOf = isNew ? null : walk.first.snapshot
    const { fetched, snapshot } = await fetchPage(request, page, asOf)
    if (walk === undefined && snapshot !== null && request.isDone(snapshot)) return false
    const whole = { ...fetched, walk: number, page, snapshot, atMs: Date.now() }
    await log.append(whole)
    walked.add(whole)
    refuseEndless(request, walked)
    const { totalPages } = fetched
    request.onProgress?.({ walk: number, page, totalPages, records: walked.different })
  }
  return true
}

function isEnough({ mustBeWhole }: WalkRequest, { walk, certainty, isWhole }: WalkTally): boolean {
  if (walk === undefined || walk.last.next !== null) return false
  if (walk.walk >= MOST_WALKS) return true
  return mustBeWhole ? isWhole : certainty !== 'unsettled'
}

async function fetchPage(
  { resource, address, client, signal }: WalkRequest,
  page: number,
  asOf: string | null,
): Promise<{ readonly fetched: ServicePage; readonly snapshot: string | null }> {
  const query = new URLSearchParams({ page: String(page), per_page: String(PER_PAGE) })
  if (asOf !== null) query.set('as_of', asOf)
  const at = `${address}${resource.rest.path}?${query}`
  const { fetched, reply } = await getPage(client, at, page, signal)
  const snapshot = reply.snapshot ?? null
  if (asOf !== null && snapshot !== asOf)
    throw new StoreFault('changed', `page ${page} is of snapshot ${snapshot}, and ${asOf} was asked for`)
  return { fetched, snapshot }
}

const MOST_CUT = 5

/** A reply whose end was cut off on the way is asked for again. */
async function getPage(
  client: ServiceClient,
  at: string,
  page: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly fetched: ServicePage; readonly reply: ServiceReply }> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await client.get(at, signal)
    try {
      return { fetched: readPage(reply.body, page), reply }
    } catch (error) {
      const mayPass = error instanceof StoreFault && error.kind === 'passing'
      if (!mayPass || attempt >= MOST_CUT) throw error
    }
  }
}

function refuseEndless({ resource }: WalkRequest, { walk }: WalkTally): void {
  if (walk === undefined) return
  const { first, last, repeating } = walk
  if (repeating >= MOST_REPEATING && last.next !== null)
    throw new StoreFault(
      'refused',
      `the list of ${resource.name} repeats itself: ${repeating} pages up to page ${last.page} have only records of pages before`,
    )
  if (last.page > first.totalPages * MOST_GROWTH.times + MOST_GROWTH.more)
    throw new StoreFault(
      'refused',
      `the list of ${resource.name} has no end: it had ${first.totalPages} pages at first, and page ${last.page} names a next one`,
    )
}
