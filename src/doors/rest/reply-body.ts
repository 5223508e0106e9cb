import { runInSlices } from '../../base/slices.ts'
import { ListedObject } from '../contract/listed-object.ts'
import type { RestOperation } from '../contract/operations.ts'
import { JSON_TYPE, json, LongText, type Representation, type Whole } from '../reply/representation.ts'
import { type Found, matchesNothing, type RestRequest } from './handlers.ts'

/** A series of more rows is sent in pieces and not cached: it has more than a megabyte. */
export const MOST_WHOLE_ROWS = 4000

type Kind = RestOperation['kind']

/** Writes a result as JSON. */
export function writeBody(
  found: Found,
  kind: Kind,
  { query }: RestRequest,
  timing: string,
): Representation<string> {
  const isEmpty = (kind === 'list' || kind === 'totals') && matchesNothing(found) ? true : undefined
  const { type, body } = json(found.whole, query.integersAsText)
  // Always one shape, since V8 copies an object of many shapes slowly.
  return { type, body, timing, isEmpty, unknown: found.unknown }
}

/** Writes a result as JSON in slices of the event loop. The text of a long list is written while it is sent. */
export async function writeBodyInSlices(
  found: Found,
  kind: Kind,
  request: RestRequest,
  timing: string,
  signal: AbortSignal,
): Promise<Representation<Whole | LongText>> {
  const { whole, unknown } = found
  const { integersAsText } = request.query
  if (!(whole instanceof ListedObject)) return writeBody(found, kind, request, timing)
  const more = { type: JSON_TYPE, timing, ...(unknown && { unknown }) }
  if (whole.count > MOST_WHOLE_ROWS)
    return { ...more, body: new LongText(() => whole.pieces(integersAsText)) }
  return { ...more, body: await runInSlices(whole.textSteps(integersAsText), signal) }
}
