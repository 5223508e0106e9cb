/** An object, as a listing names it. */
export interface StoredObject {
  readonly key: string
  readonly bytes: number
  /** Changes with its bytes; where it is 32 hex digits, mostly their MD5. */
  readonly etag: string
  /** When it was stored, milliseconds since 1970, where the listing says. */
  readonly storedAt?: number | undefined
}

/** An object that is to be read. */
export type ObjectToRead = Pick<StoredObject, 'key' | 'bytes'> & { readonly etag?: string | undefined }

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
  /** Returns the listing entry of one object, or undefined if it does not exist. */
  head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined>
  /** The object from a byte on, if it still has the ETag, where that is known. */
  read(object: ObjectToRead, from: number, signal?: AbortSignal): Promise<ObjectBody>
  close(): void
}

/** A small object. */
interface WholeObject {
  readonly bytes: Buffer
  readonly etag: string
}

/** A file whose bytes become an object, or the bytes themselves. */
export type ObjectContent =
  | Buffer
  | { readonly path: string; readonly bytes: number; readonly sha256: string }

/** The port of who also writes. */
export interface WritableStore extends ObjectStore {
  /** An object whole; undefined when it is not there, or when it still has the ETag `unless`. */
  get(key: string, signal?: AbortSignal, unless?: string): Promise<WholeObject | undefined>
  /** Stores an object whole; the store compares it with its SHA-256. */
  put(key: string, content: ObjectContent, signal?: AbortSignal): Promise<void>
  /** The same, only if there is none; gives false when there is one. Of several at once one succeeds. */
  create(key: string, content: ObjectContent, signal?: AbortSignal): Promise<boolean>
  /** Removes objects, of which some may be gone. */
  remove(keys: readonly string[], signal?: AbortSignal): Promise<void>
}

/**
 * `passing`: the same request may succeed later. `expired`: with other credentials. `changed`: the object has other bytes
 * by now, or is gone. `final`: this request will not succeed, others may. `refused`: no request will, and the sentence says what would.
 */
export type FaultKind = 'passing' | 'expired' | 'changed' | 'final' | 'refused'

/** Why a store did not do what it was asked for. */
export class StoreFault extends Error {
  readonly kind: FaultKind
  /** The HTTP status with which the store has answered, so it has sent nothing of an object; 0 when it has not. */
  readonly status: number

  constructor(kind: FaultKind, sentence: string, cause?: unknown, status = 0) {
    super(sentence, { cause })
    this.name = 'StoreFault'
    this.kind = kind
    this.status = status
  }
}
