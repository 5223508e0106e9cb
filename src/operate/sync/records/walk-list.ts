import { setTimeout } from 'node:timers/promises'
import { StoreFault } from '../../object-store/object-store.ts'
import type { FollowedResource } from './followed-resources.ts'
import { readPage, type ServicePage } from './read-page.ts'
import type { ServiceClient } from './service-client.ts'
import type { WalkLog } from './walk-log.ts'
import { WalkTally } from './walk-tally.ts'

export interface WalkRequest {
  readonly resource: FollowedResource
  /** Address of the service up to the network. */
  readonly address: string
  readonly client: ServiceClient
  /** Requires a complete list, which takes two walks if the service names no snapshot. */
  readonly mustBeWhole: boolean
  /** Returns true if a list of this snapshot needs no work. */
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

/** Largest page of the specification. */
const PER_PAGE = 100
const MOST_WALKS = 5
const MOST_RESTARTS = 3
/** Number of pages in a row without a new record, after which the service counts as repeating itself. */
const MOST_REPEATING = 20
/** Growth of a list during a walk, beyond which it counts as endless. */
const MOST_GROWTH = { times: 2, more: 100 }
/** Pages older than this are fetched again. */
const OLDEST_MS = 24 * 3_600_000

/**
 * Walks through a list, resuming an interrupted walk, until the list is complete or, if that cannot be known, until a
 * walk finds no new record. Undefined if the service still has the snapshot that was done.
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

/** Returns true if there is anything to do. */
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
  { resource, address, client }: WalkRequest,
  page: number,
  asOf: string | null,
): Promise<{ readonly fetched: ServicePage; readonly snapshot: string | null }> {
  const query = new URLSearchParams({ page: String(page), per_page: String(PER_PAGE) })
  if (asOf !== null) query.set('as_of', asOf)
  const { fetched, snapshot } = await getPage(client, `${address}${resource.rest.path}?${query}`, page)
  if (asOf !== null && snapshot !== asOf)
    throw new StoreFault('changed', `page ${page} is of snapshot ${snapshot}, and ${asOf} was asked for`)
  return { fetched, snapshot }
}

const MOST_CUT = 5

/** Retries truncated responses. */
async function getPage(client: ServiceClient, address: string, page: number) {
  for (let attempt = 1; ; attempt += 1) {
    const { body, snapshot = null } = await client.get(address)
    try {
      return { fetched: readPage(body, page), snapshot }
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
