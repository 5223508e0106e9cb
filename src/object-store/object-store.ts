/** An object, as a listing names it. */
export interface StoredObject {
  readonly key: string
  readonly bytes: number
  /** Changes with its bytes; where it is 32 hex digits, mostly their MD5. */
  readonly etag: string
}

/** A page of a listing. */
export interface ObjectPage {
  readonly objects: readonly StoredObject[]
  /** What lies below a delimiter, each ending with it. */
  readonly folders: readonly string[]
  /** Continues the listing; undefined when this is the last page. */
  readonly next?: string | undefined
}

export interface ObjectQuery {
  readonly prefix: string
  /** Only keys after this one, which may be none, in the order of their bytes. */
  readonly startAfter?: string | undefined
  /** Of keys below a further slash only their folders. */
  readonly isFlat?: boolean
  readonly next?: string | undefined
}

/** What is sent for an object, or for the rest of it. */
export interface ObjectBody {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Hex, of the whole object, where the store tells it by the ETag. */
  readonly md5?: string | undefined
}

/**
 * The port: one bucket. Every call is one request, which the store may charge for, and none is repeated here.
 * Errors of all: `StoreFault`, and the reason of the signal.
 */
export interface ObjectStore {
  list(query: ObjectQuery, signal?: AbortSignal): Promise<ObjectPage>
  /** The object from a byte on, if it still has the ETag. */
  read(object: StoredObject, from: number, signal?: AbortSignal): Promise<ObjectBody>
  close(): void
}

/**
 * `passing`: the same request may succeed later. `expired`: with other credentials. `changed`: the object has other bytes
 * by now, or is gone. `refused`: it will not succeed, and the sentence says what would.
 */
export type FaultKind = 'passing' | 'expired' | 'changed' | 'refused'

/** Why a store did not do what it was asked for. */
export class StoreFault extends Error {
  readonly kind: FaultKind
  /** The store has answered with an error, so it has sent nothing of an object. */
  readonly isReply: boolean

  constructor(kind: FaultKind, sentence: string, cause?: unknown, isReply = false) {
    super(sentence, { cause })
    this.name = 'StoreFault'
    this.kind = kind
    this.isReply = isReply
  }
}
