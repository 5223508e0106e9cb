/** An object in a listing. */
export interface StoredObject {
  readonly key: string
  readonly bytes: number
  /** Changes with the content; 32 hex digits are usually the MD5. */
  readonly etag: string
  /** Time of the upload, milliseconds since 1970; undefined if the listing has none. */
  readonly storedAt?: number | undefined
}

/** An object to read. */
export type ObjectToRead = Pick<StoredObject, 'key' | 'bytes'> & { readonly etag?: string | undefined }

/** A page of a listing. */
export interface ObjectPage {
  readonly objects: readonly StoredObject[]
  /** Common prefixes, each ending with the delimiter. */
  readonly folders: readonly string[]
  /** Continues the listing; undefined when this is the last page. */
  readonly next?: string | undefined
}

export interface ObjectQuery {
  readonly prefix: string
  /** Lists keys after this one, in byte order; the key need not exist. */
  readonly startAfter?: string | undefined
  /** Lists folders instead of the keys below them. */
  readonly isFlat?: boolean
  readonly next?: string | undefined
}

/** Body of an object, or its rest. */
export interface ObjectBody {
  readonly chunks: AsyncIterable<Uint8Array>
  /** MD5 of the whole object, in hex, if the ETag has it. */
  readonly md5?: string | undefined
}

/**
 * Port of one bucket. Each call is one request, which the store may charge for; nothing is retried.
 * Errors: `StoreFault`, and the reason of the signal.
 */
export interface ObjectStore {
  list(query: ObjectQuery, signal?: AbortSignal): Promise<ObjectPage>
  /** Returns the listing entry of one object, or undefined if it does not exist. */
  head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined>
  /** Reads the object from byte `from`; with an ETag, only that content. */
  read(object: ObjectToRead, from: number, signal?: AbortSignal): Promise<ObjectBody>
  close(): void
}

interface WholeObject {
  readonly bytes: Buffer
  readonly etag: string
}

/** Bytes to store, or a file with them. */
export type ObjectContent =
  | Buffer
  | { readonly path: string; readonly bytes: number; readonly sha256: string }

/** Port of a bucket that can also be written. */
export interface WritableStore extends ObjectStore {
  /** Returns a whole object; undefined if it is missing, or still has the ETag `unless`. */
  get(key: string, signal?: AbortSignal, unless?: string): Promise<WholeObject | undefined>
  /** Stores an object; the store verifies its SHA-256. */
  put(key: string, content: ObjectContent, signal?: AbortSignal): Promise<void>
  /** Stores an object unless it exists; returns false if it does. One of concurrent calls succeeds. */
  create(key: string, content: ObjectContent, signal?: AbortSignal): Promise<boolean>
  /** Removes objects; missing ones are ignored. */
  remove(keys: readonly string[], signal?: AbortSignal): Promise<void>
}

/**
 * `passing`: the same request may succeed later. `expired`: it may succeed with new credentials. `changed`: the object
 * has other bytes now, or it or its snapshot is gone. `final`: this request will fail, others may succeed. `refused`:
 * all requests will fail; the message says what to change.
 */
export type FaultKind = 'passing' | 'expired' | 'changed' | 'final' | 'refused'

/** A failed request to a store or a service. */
export class StoreFault extends Error {
  readonly kind: FaultKind
  /** HTTP status of the reply; 0 without a reply. */
  readonly status: number
  /** The wait that the reply asks for, in milliseconds. */
  readonly waitMs: number

  constructor(kind: FaultKind, sentence: string, cause?: unknown, status = 0, waitMs = 0) {
    super(sentence, { cause })
    this.name = 'StoreFault'
    this.kind = kind
    this.status = status
    this.waitMs = waitMs
  }
}
