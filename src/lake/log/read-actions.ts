import { fail, ServiceError } from '../../base/errors.ts'
import { type Action, readAction } from './log-actions.ts'
import { ENGINE, hasItsDigest } from './log-entry.ts'
import { readSchemaColumns, refuseNewerFormat, refuseNewerReader } from './table-format.ts'

/**
 * Reads and checks the actions of a log entry. `path` is named in errors.
 * Errors: `lake_damaged`; `lake_unsupported` when the table asks for a newer reader.
 */
export function readEntryActions(text: string, path: string): readonly Action[] {
  // Other programs write entries without a digest.
  if (!(hasItsDigest(text) ?? !text.includes(`"engineInfo":"${ENGINE}"`))) {
    fail('lake_damaged', `${path} does not have the digest that it names; restore it from a copy.`)
  }
  const lines = text.split('\n')
  if (text.trim() === '') fail('lake_damaged', `${path} is empty; restore it from a copy.`)
  return readActions(lines, path)
}

/** Reads the actions of lines, without actions that this program ignores. Errors: as above. */
export function readActions(lines: readonly string[], path: string): readonly Action[] {
  return lines.filter((line) => line.trim() !== '').flatMap((line) => readLine(line, path) ?? [])
}

function readLine(line: string, path: string): Action | undefined {
  try {
    const action = readAction(line, path)
    if (action !== undefined && 'protocol' in action) refuseNewerReader(action.protocol, path)
    if (action !== undefined && 'metaData' in action) {
      refuseNewerFormat(action.metaData, path)
      readSchemaColumns(action.metaData.schemaString, path)
    }
    return action
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const sentence = `${path} is cut or damaged: ${line.slice(0, 60)}… is not an action of the Delta protocol.`
    fail('lake_damaged', sentence, { cause: error })
  }
}
