import { LRUCache } from 'lru-cache'
import { shareWork } from '../concurrency/shared-work.ts'
import type { CacheLoad } from '../measures/measure.ts'
import { isWhole, type LongText, type Representation, type Whole } from './representation.ts'
import { isTold } from './unknown.ts'

/** A reply as it was sent, but for its body, which is kept by its tag. */
export interface SentReply {
  /** That of the representation before compression. */
  readonly tag: string
  readonly route: string
  /** Names, in small letters, and values in turn. */
  readonly headers: readonly string[]
  /** The tag of the body that was sent; undefined after a 304. */
  readonly bodyTag: string | undefined
  /** Header names and values in turn, for a 304 and a 200; made when they are first needed. */
  unchanged?: readonly string[]
  whole?: readonly string[]
}

/** Keeps replies within one limit of memory; the least recently used go first. */
export interface ReplyCache {
  /** The representation of a tag. Equal tags are equal bytes, so it is never stale. */
  known(tag: string): Representation<Whole> | undefined
  holds(tag: string): boolean
  keep(tag: string, representation: Representation<Whole>): void
  /** Finds a representation and keeps it. Callers who ask at the same time share one search, which is aborted when all are gone. A long text is not kept, nor what lacks what could not be told. */
  found<Body extends Whole | LongText>(
    tag: string,
    signal: AbortSignal,
    find: (signal: AbortSignal) => Promise<Representation<Body>>,
  ): Promise<Representation<Body>>
  /** The reply that was sent to a request, by its key. */
  sent(request: string): SentReply | undefined
  keepSent(request: string, reply: SentReply): void
  load(): CacheLoad
}

/** Of the bytes kept, what one entry may take. */
const LARGEST_SHARE = 1 / 16

/** What an entry takes beside its body and its key. */
const ENTRY_BYTES = 1024

/** A cache of so many bytes; with none, nothing is kept. */
export function openReplyCache(mostBytes: number): ReplyCache {
  const kept = new LRUCache<string, Representation<Whole> | SentReply>({
    maxSize: Math.max(1, mostBytes),
    maxEntrySize: Math.max(1, Math.floor(mostBytes * LARGEST_SHARE)),
    sizeCalculation: (entry, key) => ('body' in entry ? entry.body.length : 0) + key.length + ENTRY_BYTES,
  })
  let hits = 0
  let misses = 0
  const underWay = shareWork<Representation<Whole | LongText>>()

  function keep(tag: string, whole: Representation<Whole>): void {
    kept.set(`tag ${tag}`, { ...whole, timing: 'memory' })
  }

  return {
    known(tag) {
      const entry = kept.get(`tag ${tag}`)
      if (entry === undefined || !('body' in entry)) return undefined
      hits += 1
      return entry
    },
    holds: (tag) => kept.has(`tag ${tag}`),
    keep,
    async found<Body extends Whole | LongText>(
      tag: string,
      signal: AbortSignal,
      find: (signal: AbortSignal) => Promise<Representation<Body>>,
    ) {
      const found = await underWay.run(tag, signal, async (shared) => {
        misses += 1
        const found = await find(shared)
        if (isOfWhole(found) && isTold(found.unknown ?? {})) keep(tag, found)
        return found
      })
      // Equal tags are of equal questions.
      return found as Representation<Body>
    },
    sent(request) {
      const entry = kept.get(`sent ${request}`)
      return entry !== undefined && 'route' in entry ? entry : undefined
    },
    load: () => ({ bytes: kept.calculatedSize, mostBytes, entries: kept.size, hits, misses }),
    keepSent: (request, reply) => void kept.set(`sent ${request}`, reply),
  }
}

function isOfWhole(found: Representation<Whole | LongText>): found is Representation<Whole> {
  return isWhole(found.body)
}
