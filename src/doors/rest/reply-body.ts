import { runInSlices } from '../../base/slices.ts'
import { ListedObject } from '../contract/listed-object.ts'
import type { RestOperation } from '../contract/operations.ts'
import {
  JSON_TYPE,
  jsonBody,
  LongText,
  type Representation,
  type WholeBody,
} from '../reply/representation.ts'
import { isEmptyResult, type OperationResult, type RestRequest } from './handlers.ts'

/** A longer series has more than a megabyte: it is streamed and not cached. */
export const MOST_WHOLE_ROWS = 4000

type Kind = RestOperation['kind']

export function writeBody(
  result: OperationResult,
  kind: Kind,
  { query }: RestRequest,
  timing: string,
): Representation<string> {
  const isEmpty = (kind === 'list' || kind === 'totals') && isEmptyResult(result) ? true : undefined
  const { whole, unknown } = result
  const { body } = jsonBody(whole, query.integersAsText)
  // One shape for all: V8 copies objects of many shapes slowly.
  return { ...formOf(whole), body, timing, isEmpty, unknown }
}

/** Returns the media type, and the number of rows of a file. */
function formOf(whole: OperationResult['whole']) {
  const file = whole instanceof ListedObject && whole.fileType !== undefined ? whole : undefined
  return { type: file?.fileType ?? JSON_TYPE, rows: file?.count }
}

/** Writes JSON in slices of the event loop. A long list is written while it is sent. */
export async function writeBodyInSlices(
  result: OperationResult,
  kind: Kind,
  request: RestRequest,
  timing: string,
  signal: AbortSignal,
): Promise<Representation<WholeBody | LongText>> {
  const { whole, unknown } = result
  const { integersAsText } = request.query
  if (!(whole instanceof ListedObject)) return writeBody(result, kind, request, timing)
  const metadata = { ...formOf(whole), timing, ...(unknown && { unknown }) }
  if (whole.count > MOST_WHOLE_ROWS)
    return { ...metadata, body: new LongText(() => whole.pieces(integersAsText)) }
  return { ...metadata, body: await runInSlices(whole.textSteps(integersAsText), signal) }
}
