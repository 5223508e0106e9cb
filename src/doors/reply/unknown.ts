import type { Unknown } from '../../answers/unknown/unknown.ts'
import { tagOf } from './entity-tag.ts'

export const UNKNOWN_HEADER = 'ledgerlake-unknown'

/** Writes the header, such as `hotspot_key=1, owner=?`: counts of unknown values, or `?` if they could not be looked up. */
export function unknownHeader(unknown: Unknown): string | undefined {
  const counts = Object.entries(unknown).map(([param, values]) => `${param}=${values?.length ?? '?'}`)
  return counts.length === 0 ? undefined : counts.join(', ')
}

/** Returns true if all parameters were looked up. Incomplete responses are not cached: a later lookup may succeed. */
export function isComplete(unknown: Unknown): boolean {
  return Object.values(unknown).every((values) => values !== null)
}

/** Computes the ETag of an empty response, whose headers follow from other tables too. */
export function tagOfEmpty(tag: string, unknown: Unknown): string {
  return tagOf(`${tag}\0unknown ${unknownHeader(unknown) ?? ''}`)
}
