import { ServiceError, sentenceOf, systemWordsOf } from '../../base/errors.ts'
import { FileFault } from '../../write/wire/faults.ts'

type Cause = 'link' | 'columns' | 'memory' | 'damage' | `E${string}`

/** Causes of statement errors by message, first match. Codes are those of Node for system errors. */
const causes: readonly (readonly [Cause, RegExp])[] = [
  ['link', /^Permission Error: Cannot access file/],
  // Unexpected columns; the files need not be damaged.
  ['columns', /^Binder Error|schema mismatch/],
  ['ENOSPC', /: No space left on device$|not enough space/m],
  ['EMFILE', /: Too many open files$/m],
  ['EACCES', /: Permission denied$/m],
  ['EROFS', /: Read-only file system$/m],
  ['EFBIG', /: File too large$/m],
  ['ENOMEM', /: Cannot allocate memory$/m],
  ['EIO', /: Input\/output error$/m],
  ['ESTALE', /: Stale file handle$/m],
  ['EINTR', /: Interrupted system call$/m],
  // DuckDB memory and temporary files.
  ['memory', /^Out of Memory Error|temp_directory|temporary/i],
  [
    'damage',
    /IO Error|^Invalid Error:|No magic bytes|No files found|Invalid Input Error.*(parquet|unicode|stats size)|Failed to read|corrupt|ZSTD|TProtocol|Serialization Error/i,
  ],
]

function causeOf(sentence: string): Cause | undefined {
  // A folder name may contain a cause.
  const words = sentence.replace(/(["'])[^"']*\/[^"']*\1/g, '"a.parquet"')
  return causes.find(([, pattern]) => pattern.test(words))?.[0]
}

/** The file named in an engine error. */
function fileIn(sentence: string): string | undefined {
  return /file "([^"]+)"/.exec(sentence)?.[1]
}

/**
 * Maps an error of a statement over data files, or over `file`: `lake_damaged` if a data file cannot be read, a
 * system error code, or the error itself.
 */
export function readFault(error: unknown, file?: string): unknown {
  const sentence = sentenceOf(error)
  const named = fileIn(sentence)
  // A statement that copies a file may fail to write.
  if (file !== undefined && named !== undefined && !sentence.includes(`"${file}"`)) return error
  const subject = file ?? named ?? `A data file of the lake (${sentence.split('\n')[0]})`
  const damaged = (words: string) => new ServiceError('lake_damaged', `${subject} ${words}`, { cause: error })
  switch (causeOf(sentence)) {
    case 'link':
      return damaged('leads to a file outside the lake; restore it from a copy.')
    case 'EACCES':
      return damaged('cannot be read: permission is denied; allow this user to read it.')
    case 'EIO':
    case 'damage':
      return damaged('is missing, cut or scrambled; restore it from a copy.')
    default:
      return withCode(error)
  }
}

/** Temporary refusals of the operating system. */
const passing: readonly unknown[] = ['EMFILE', 'ENOMEM', 'EINTR', 'ESTALE']

/** Returns `not_ready` for a temporary refusal, otherwise the error. */
export function unlessPassing(fault: unknown): unknown {
  if (!(fault instanceof Error) || !('code' in fault) || !passing.includes(fault.code)) return fault
  const words = systemWordsOf(fault) ?? fault.code
  const sentence = `Data files cannot be read now: ${words}. Ask again in a moment.`
  return new ServiceError('not_ready', sentence, { cause: fault })
}

/** True if damaged bytes may have caused the error, rather than memory or the system. */
export function mayBeDamage(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === 'lake_damaged' && !error.isShown
  const cause = causeOf(sentenceOf(error))
  return cause === undefined || cause === 'columns'
}

/** Adds the system error code to an engine error. */
function withCode(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const sentence = sentenceOf(error)
  const code = causeOf(sentence)
  if (code === undefined || !code.startsWith('E')) return error
  const path = code === 'EACCES' ? { path: fileIn(sentence) } : {}
  return Object.assign(new Error(sentence, { cause: error }), { code, ...path })
}

const refusal = (error: unknown) => (error instanceof FileFault ? error : unreadable(withCode(error)))

/** A file that exists and cannot be read. */
function unreadable(error: unknown): unknown {
  const sentence = sentenceOf(error)
  const cause = causeOf(sentence)
  if (error instanceof ServiceError || (cause !== 'damage' && cause !== 'columns')) return error
  if (/^IO Error: (Cannot open|No files found)/.test(sentence)) return error
  const [words = ''] = sentence.split('\n')
  return new ServiceError(
    'lake_unwritable',
    `A file that was just written, or one of the lake, is cut or scrambled: ${words}. What was committed stays; check the disk and run it again.`,
    { cause: error },
  )
}

/** Wraps a port: its methods throw system errors with Node codes, and report unreadable files. */
export function withErrnoCodes<T extends object>(port: T): T {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...callArguments: readonly unknown[]) => {
        try {
          const result: unknown = member.apply(target, callArguments)
          return result instanceof Promise ? result.catch((error) => Promise.reject(refusal(error))) : result
        } catch (error) {
          throw refusal(error)
        }
      }
    },
  })
}
