import { ServiceError, sentenceOf } from '../../errors.ts'

/** What the engine says of a data file that is missing, cut or scrambled. */
const damaged =
  /IO Error|^Invalid Error:|No files found|Invalid Input Error.*(parquet|unicode|stats size)|Failed to read|corrupt|ZSTD|TProtocol|Serialization Error/i

/** What it says of its own temporary files and of limits of the process: the lake is as it was. */
const notOfLake = /No space left|temp_directory|temporary|out of memory|Too many open files/i

/** What it says of files that have other columns than were asked for: none of them need be harmed. */
const otherColumns = /^Binder Error|schema mismatch/

/** What it says of a link that leads out of the folders that may be read. */
const outside = /^Permission Error: Cannot access file "([^"]+)"/

/** The error as `lake_damaged` when it tells of a data file that cannot be read; else as it is. */
export function unlessDamage(error: unknown, path?: string): unknown {
  const sentence = sentenceOf(error)
  const link = outside.exec(sentence)?.[1]
  if (link !== undefined) {
    const told = `${link} leads to a file outside the lake; restore it from a copy.`
    return new ServiceError('lake_damaged', told, { cause: error })
  }
  if (!damaged.test(sentence) || notOfLake.test(sentence) || otherColumns.test(sentence)) return error
  const what = path ?? `A data file of the lake (${sentence.split('\n')[0]})`
  const told = `${what} is missing, cut or scrambled; restore it from a copy.`
  return new ServiceError('lake_damaged', told, { cause: error })
}
