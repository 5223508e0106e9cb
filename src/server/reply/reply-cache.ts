import { LRUCache } from 'lru-cache'
import { shareWork } from '../work/shared-work.ts'
import type { Representation, Whole } from './representation.ts'

/** A reply as it was sent, but for its body, which is kept by its tag. Names of headers are in small letters. */
export interface SentReply {
  /** That of the representation, whether it was compressed or not. */
  readonly tag: string
  readonly route: string
  readonly headers: Readonly<Record<string, unknown>>
  /** The tag of the body that was sent; undefined while callers were only told that they have it. */
  readonly bodyTag: string | undefined
  /** Names and values of headers in turn, for callers who have the body and for the others; made when they are needed. */
  unchanged?: readonly string[]
  whole?: readonly string[]
}

/** What is kept of replies within one bound of memory; what was not used for longest goes first. */
export interface ReplyCache {
  /** A representation, by its tag: a tag says all that it follows from, so it is never wrong. */
  known(tag: string): Representation<Whole> | undefined
  keep(tag: string, representation: Representation<Whole>): void
  /** What `find` gives, or others are given by it now: it is given up when all who wait for it are gone. */
  found(
    tag: string,
    signal: AbortSignal,
    find: (signal: AbortSignal) => Promise<Representation<Whole>>,
  ): Promise<Representation<Whole>>
  /** How a request was answered. */
  sent(request: string): SentReply | undefined
  keepSent(request: string, reply: SentReply): void
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
  const underWay = shareWork<Representation<Whole>>()

  function keep(tag: string, { type, body }: Representation<Whole>): void {
    kept.set(`tag ${tag}`, { type, body, timing: 'memory' })
  }

  return {
    known(tag) {
      const entry = kept.get(`tag ${tag}`)
      return entry !== undefined && 'body' in entry ? entry : undefined
    },
    keep,
    found: (tag, signal, find) =>
      underWay.of(tag, signal, async (shared) => {
        const found = await find(shared)
        keep(tag, found)
        return found
      }),
    sent(request) {
      const entry = kept.get(`sent ${request}`)
      return entry !== undefined && 'route' in entry ? entry : undefined
    },
    keepSent: (request, reply) => void kept.set(`sent ${request}`, reply),
  }
}
