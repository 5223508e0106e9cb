/** The error codes with HTTP status, exit code and meaning. Source: docs/decisions, "Errors". */
export const errorTable = {
  not_found: { status: 404, exit: 1, meaning: 'No record or operation matches the address.' },
  authentication_required: { status: 401, exit: 2, meaning: 'The API key is missing or unknown.' },
  usage_limit_exceeded: {
    status: 402,
    exit: 2,
    meaning: 'The key has used up its requests for these 30 days; Retry-After says when there are more.',
  },
  feature_not_available: {
    status: 403,
    exit: 2,
    meaning: 'The operation needs a feature that the key lacks.',
  },
  rate_limit_exceeded: {
    status: 429,
    exit: 2,
    meaning: 'The key has used up its requests of this minute; Retry-After says when there are more.',
  },
  overloaded: {
    status: 503,
    exit: 1,
    meaning: 'Too many requests are being answered already; Retry-After says when to ask again.',
  },
  malformed_request: {
    status: 422,
    exit: 2,
    meaning: 'A parameter, flag or setting is missing or malformed.',
  },
  body_too_large: {
    status: 413,
    exit: 2,
    meaning: 'The body has more bytes than the address takes.',
  },
  gone: {
    status: 410,
    exit: 1,
    meaning: 'A vacuum has removed data files of the snapshot that as_of names; newer snapshots are there.',
  },
  precondition_failed: { status: 412, exit: 1, meaning: 'If-Match names none of the ETags of the response.' },
  range_not_satisfiable: {
    status: 416,
    exit: 1,
    meaning: 'The file has no byte of the range; Content-Range has its length.',
  },
  method_not_allowed: { status: 405, exit: 2, meaning: 'The operation exists, but not with this method.' },
  source_unreadable: {
    status: 500,
    exit: 3,
    meaning: 'A source is damaged, or not of the kind its name says.',
  },
  source_changed: {
    status: 500,
    exit: 3,
    meaning: 'A source of a known name came back with other bytes.',
  },
  lake_damaged: {
    status: 503,
    exit: 4,
    meaning: 'Something in the lake is missing, damaged, or not written by this program.',
  },
  lake_unsupported: {
    status: 503,
    exit: 4,
    meaning: 'A newer build or another program wrote the lake in a way that this one does not know.',
  },
  lake_unwritable: { status: 500, exit: 4, meaning: 'The lake cannot be written here.' },
  commit_conflict: {
    status: 500,
    exit: 3,
    meaning: 'Other commits won, repeatedly, or a restore has just replaced the table.',
  },
  not_ready: {
    status: 503,
    exit: 4,
    meaning:
      'The engine is being opened anew, a file cannot be read at the moment, or nothing has been ingested yet.',
  },
  address_in_use: { status: 500, exit: 5, meaning: 'The port to listen on is taken.' },
  deadline_exceeded: { status: 504, exit: 1, meaning: 'The answer took longer than the deadline.' },
  internal: { status: 500, exit: 70, meaning: 'An unexpected fault; the log has the cause.' },
} as const

export type ErrorCode = keyof typeof errorTable

/** Fault of one parameter. */
export interface ParamFault {
  readonly param: string
  readonly message: string
}

/** A place in a text, counted in Unicode characters: line and column from 1, offset from 0. */
export interface TextPosition {
  readonly line: number
  readonly column: number
  readonly offset: number
}

interface ErrorDetails {
  readonly faults?: readonly ParamFault[]
  readonly position?: TextPosition | undefined
  readonly cause?: unknown
  readonly isShown?: boolean
}

/** An error with a code of the table and a sentence that may be shown to a client. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly faults: readonly ParamFault[]
  /** Place in the statement of the client, if the error has one. */
  readonly position: TextPosition | undefined
  /** True if clients may read the sentence of a 5xx error: it names nothing of the machine and was logged once. */
  readonly isShown: boolean

  constructor(code: ErrorCode, sentence: string, options: ErrorDetails = {}) {
    super(sentence, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.faults = options.faults ?? []
    this.position = options.position
    this.isShown = options.isShown ?? false
  }

  get status(): number {
    return errorTable[this.code].status
  }

  get exit(): number {
    return errorTable[this.code].exit
  }
}

/** Throws a ServiceError; as an expression it has the type `never`. */
export function fail(code: ErrorCode, sentence: string, options: ErrorDetails = {}): never {
  throw new ServiceError(code, sentence, options)
}

/** Returns the result of `work`, or calls `onDamage` and returns undefined when a file of the lake is damaged or unreadable. */
export function unlessDamaged<T>(work: () => T, onDamage = (_error: ServiceError) => {}): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ServiceError) || !['lake_damaged', 'not_ready'].includes(error.code)) throw error
    onDamage(error)
    return undefined
  }
}

/** Plain words of system error codes. */
const systemWords: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'permission is denied'],
  ['EADDRNOTAVAIL', 'the address is not one of this machine'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EEXIST', 'a file is in the place of a folder'],
  ['EFBIG', 'a file would be longer than this process may write'],
  ['EIO', 'the disk reports an input or output error'],
  ['EISDIR', 'a folder is in the place of a file'],
  ['ELOOP', 'symbolic links lead in a circle'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open on this machine'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOENT', 'no such file or folder'],
  ['ENOSPC', 'no space is left'],
  ['ENOTDIR', 'a file is in the place of a folder'],
  ['ENOTFOUND', 'the host name is not known'],
  ['ENXIO', 'it is not a file'],
  ['EPERM', 'permission is denied'],
  ['EPIPE', 'the reader has closed the pipe'],
  ['EROFS', 'the file system is read-only'],
])

/** True if a system error is likely to pass, such as too many open files. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE', 'ENOMEM'].includes(String(error.code))
  )
}

/** Returns plain words, without the path, for a system error; undefined for any other error. */
export function systemWordsOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? systemWords.get(error.code) : undefined
}

/** Returns the sentence of any thrown value; for system errors plain words with the path. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const words = systemWordsOf(error)
  if (words === undefined) return error.message
  // For rename and link the system refuses the destination.
  const path = 'dest' in error ? error.dest : 'path' in error ? error.path : undefined
  return path === undefined ? words : `${words}: ${path}`
}
