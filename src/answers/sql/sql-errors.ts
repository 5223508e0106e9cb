import { fail, ServiceError, sentenceOf, systemWordsOf, type TextPosition } from '../../base/errors.ts'
import { StatementError } from '../../engine/duckdb/confined/statement-error.ts'
import { readFault } from '../../engine/duckdb/failures.ts'
import { refuseUnwritableFolder } from '../../lake/disk/unwritable.ts'
import { startInSelect } from './result-select.ts'
import { characterOfByte, lineAt, positionAt } from './text-position.ts'

/** Errors of DuckDB about files; its other errors quote the statement. */
const ofFiles = /^(?:IO|Invalid|Permission|Serialization) Error|^Invalid Input Error: .*parquet/

export interface Surroundings {
  readonly lake: string
  readonly scratchFolder: string
  /** Memory of statements. */
  readonly memoryMb: number
}

/**
 * Throws a statement error with the message of DuckDB and its place in `text`, without folders in paths.
 * Errors: `malformed_request`; `lake_damaged` if a data file cannot be read; `lake_unwritable` if the scratch folder
 * is full.
 */
export function refuseSql(
  error: unknown,
  { lake, scratchFolder, memoryMb }: Surroundings,
  text: string,
): never {
  if (error instanceof ServiceError) throw error
  const bare = sentenceOf(error).replaceAll(`${scratchFolder}/`, '').replaceAll(`${lake}/`, '')
  const judged = ofFiles.test(bare) ? readFault(new Error(bare, { cause: error })) : error
  if (judged instanceof ServiceError) throw judged
  if (systemWordsOf(judged) !== undefined) return refuseUnwritableFolder(judged, scratchFolder)
  if (/^Out of Memory Error/.test(bare)) {
    const [first] = bare.split('\n')
    const sentence = `${first}\nStatements have ${memoryMb} MB of memory; --engine-memory-mb gives them more.`
    return fail('malformed_request', sentence, { cause: error })
  }
  const position = error instanceof StatementError ? positionIn(text, error) : undefined
  const sentence = position === undefined ? bare : `${bare}\n\n${lineAt(text, position)}`
  return fail('malformed_request', sentence, { cause: error, position })
}

/** The place of an error in the statement of the client; undefined if it is in the SELECT around it. */
function positionIn(text: string, { text: ran, byte }: StatementError): TextPosition | undefined {
  if (byte === undefined) return undefined
  const offset = characterOfByte(ran, byte) - [...ran.slice(0, startInSelect(ran, text))].length
  return offset < 0 || offset > [...text].length ? undefined : positionAt(text, offset)
}
