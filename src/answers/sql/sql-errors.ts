import { fail, ServiceError, sentenceOf, systemWordsOf } from '../../base/errors.ts'
import { readFault } from '../../engine/duckdb/failures.ts'
import { refuseUnwritableFolder } from '../../lake/disk/unwritable.ts'

/** Errors of DuckDB about files; its other errors quote the statement. */
const ofFiles = /^(?:IO|Invalid|Permission|Serialization) Error|^Invalid Input Error: .*parquet/

export interface Surroundings {
  readonly lake: string
  readonly scratchFolder: string
  /** Memory of statements. */
  readonly memoryMb: number
}

/**
 * Throws a statement error with the message of DuckDB and its position, without folders in paths.
 * Errors: `malformed_request`; `lake_damaged` if a data file cannot be read; `lake_unwritable` if the scratch folder
 * is full.
 */
export function refuseSql(
  error: unknown,
  { lake, scratchFolder, memoryMb }: Surroundings,
  linesBefore = 0,
): never {
  if (error instanceof ServiceError) throw error
  const bare = sentenceOf(error).replaceAll(`${scratchFolder}/`, '').replaceAll(`${lake}/`, '')
  const moved = atStatementLine(bare, linesBefore)
  const judged = ofFiles.test(moved) ? readFault(new Error(moved, { cause: error })) : error
  if (judged instanceof ServiceError) throw judged
  if (systemWordsOf(judged) !== undefined) return refuseUnwritableFolder(judged, scratchFolder)
  if (/^Out of Memory Error/.test(moved)) {
    const [first] = moved.split('\n')
    const sentence = `${first}\nStatements have ${memoryMb} MB of memory; --engine-memory-mb gives them more.`
    return fail('malformed_request', sentence, { cause: error })
  }
  return fail('malformed_request', moved, { cause: error })
}

/** `LINE 2: select ...` -> `LINE 1: select ...`, with the caret moved. */
function atStatementLine(sentence: string, linesBefore: number): string {
  return sentence.replace(/^LINE (\d+): (.*)\n( *)\^/m, (_, line: string, text: string, blanks: string) => {
    const statementLine = String(Number(line) - linesBefore)
    return `LINE ${statementLine}: ${text}\n${blanks.slice(line.length - statementLine.length)}^`
  })
}
