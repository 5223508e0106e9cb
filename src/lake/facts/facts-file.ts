import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { fail, isPassing, sentenceOf } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { digestOf, isMissing } from '../disk/disk.ts'
import { factsPath, isDataFilePath } from '../disk/layout.ts'
import { type Facts, readFacts, type WrittenFacts, writeFacts } from './facts.ts'
import type { NamedFacts } from './file-tags.ts'
import { TagFault } from './tag-fault.ts'

// A facts file has the counts and sums of one data file and is named by its own digest. It is immutable, synced before
// the log entry that names it, and shared by all versions.

const MOST_CHARACTERS = 2 ** 28

interface Written extends WrittenFacts {
  /** The data file, relative to its table; it keeps two data files from sharing a facts file. */
  readonly file: string
}

export function writeFactsFile(file: string, facts: Facts): Buffer {
  const written: Written = { file, ...writeFacts(facts) }
  return gzipSync(JSON.stringify(written))
}

/** Reads the facts of a data file and checks their digest. `file` is relative to the table. Errors: `lake_damaged`. */
export function readFactsFile(resource: Resource, table: string, file: string, named: NamedFacts): Facts {
  const path = factsPath(table, named.digest)
  const bytes = readBytes(path, named.bytes)
  if (bytes === undefined || digestOf(bytes) !== named.digest)
    refuse(path, 'does not have the bytes that it was written with')
  try {
    const written: Written = JSON.parse(unpack(bytes))
    if (written.file !== file) throw new TagFault(`they are of ${JSON.stringify(written.file)}`)
    return readFacts(resource, written)
  } catch (cause) {
    const fault = cause instanceof TagFault ? cause.message : 'they are no JSON of this program'
    return refuse(path, `has damaged facts of ${file}: ${fault}`, cause)
  }
}

/** Reads which data file a facts file belongs to, relative to its table; undefined when unreadable or unnamed. */
export function fileOfFacts(path: string): string | undefined {
  try {
    const { file }: Partial<Written> = JSON.parse(unpack(readFileSync(path)))
    return file !== undefined && isDataFilePath(file) ? file : undefined
  } catch {
    return undefined
  }
}

function unpack(bytes: Buffer): string {
  return gunzipSync(bytes, { maxOutputLength: MOST_CHARACTERS }).toString('utf8')
}

/** Reads a regular file; undefined when its length differs. Opens no pipe and follows no link. */
function readBytes(path: string, bytes: number): Buffer | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const facts = fstatSync(file)
      if (!facts.isFile() || facts.size !== bytes) return undefined
      const buffer = Buffer.allocUnsafe(bytes)
      return readSync(file, buffer) === bytes ? buffer : undefined
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    if (isPassing(cause)) fail('not_ready', `${path} cannot be read now: ${sentenceOf(cause)}.`, { cause })
    return refuse(path, isMissing(cause) ? 'is missing' : `cannot be read: ${sentenceOf(cause)}`, cause)
  }
}

function refuse(path: string, fault: string, cause?: unknown): never {
  fail('lake_damaged', `${path} ${fault}; put the file of a backup in its place.`, { cause })
}
