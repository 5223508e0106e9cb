import { LRUCache } from 'lru-cache'
import { shareWork } from '../concurrency/shared-work.ts'
import type { CacheLoad } from '../monitoring/measures/measure.ts'
import { isWhole, type LongText, type Representation, type WholeBody } from './representation.ts'
import { isComplete } from './unknown.ts'

/** A response that was sent; the cache holds its body by tag. */
export interface SentReply {
  /** Tag of the representation before compression. */
  readonly tag: string
  readonly route: string
  /** Lower-case names and values in turn. */
  readonly headers: readonly string[]
  /** Tag of the sent body; undefined after a 304. */
  readonly bodyTag: string | undefined
  /** Headers of a repeated 304 and 200, computed on first use. */
  unchanged?: readonly string[]
  whole?: readonly string[]
}

/** LRU cache of responses with a memory limit. */
export interface ReplyCache {
  /** False without memory. */
  readonly isOn: boolean
  /** Returns the representation of a tag. It is never stale: equal tags have equal bytes. */
  get(tag: string): Representation<WholeBody> | undefined
  has(tag: string): boolean
  set(tag: string, representation: Representation<WholeBody>): void
  /** Computes a representation once for concurrent requests, and caches it unless it is a long text or incomplete. */
  compute<Body extends WholeBody | LongText>(
    tag: string,
    signal: AbortSignal,
    find: (signal: AbortSignal) => Promise<Representation<Body>>,
  ): Promise<Representation<Body>>
  /** Returns the response that was sent to an equal request. */
  getSent(request: string): SentReply | undefined
  setSent(request: string, reply: SentReply): void
  load(): CacheLoad
}

/** Largest part of the cache for one entry. */
const LARGEST_SHARE = 1 / 16

/** Estimated overhead of an entry. */
const ENTRY_BYTES = 1024

/** Opens a cache of `mostBytes`; 0 turns it off. */
export function openReplyCache(mostBytes: number): ReplyCache {
  const entries = new LRUCache<string, Representation<WholeBody> | SentReply>({
    maxSize: Math.max(1, mostBytes),
    maxEntrySize: Math.max(1, Math.floor(mostBytes * LARGEST_SHARE)),
    sizeCalculation: (entry, key) => ('body' in entry ? entry.body.length : 0) + key.length + ENTRY_BYTES,
  })
  let hits = 0
  let misses = 0
  const jobs = shareWork<Representation<WholeBody | LongText>>()

  function set(tag: string, whole: Representation<WholeBody>): void {
    entries.set(`tag ${tag}`, { ...whole, timing: 'memory' })
  }

  return {
    isOn: mostBytes > 0,
    get(tag) {
      const entry = entries.get(`tag ${tag}`)
      if (entry === undefined || !('body' in entry)) return undefined
      hits += 1
      return entry
    },
    has: (tag) => entries.has(`tag ${tag}`),
    set,
    async compute<Body extends WholeBody | LongText>(
      tag: string,
      signal: AbortSignal,
      find: (signal: AbortSignal) => Promise<Representation<Body>>,
    ) {
      const result = await jobs.run(tag, signal, async (shared) => {
        misses += 1
        const representation = await find(shared)
        if (hasWholeBody(representation) && isComplete(representation.unknown ?? {})) set(tag, representation)
        return representation
      })
      // Equal tags belong to equal requests.
      return result as Representation<Body>
    },
    getSent(request) {
      const entry = entries.get(`sent ${request}`)
      return entry !== undefined && 'route' in entry ? entry : undefined
    },
    load: () => ({ bytes: entries.calculatedSize, mostBytes, entries: entries.size, hits, misses }),
    setSent: (request, reply) => void entries.set(`sent ${request}`, reply),
  }
}

function hasWholeBody(result: Representation<WholeBody | LongText>): result is Representation<WholeBody> {
  return isWhole(result.body)
}
