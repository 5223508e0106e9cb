import type { Unknown } from '../../answers/rows/unknown.ts'
import { digestOf } from './entity-tag.ts'

/** The header that counts the values of each parameter that nothing has. */
export const UNKNOWN_HEADER = 'ledgerlake-unknown'

/** `hotspot_key=1, owner=?`: how many values of a parameter nothing has, or that this cannot be told; undefined when all are known. */
export function unknownText(unknown: Unknown): string | undefined {
  const counts = Object.entries(unknown).map(([param, values]) => `${param}=${values?.length ?? '?'}`)
  return counts.length === 0 ? undefined : counts.join(', ')
}

/** Whether it could be told of every parameter; what could not may be told later, so it is not kept. */
export function isTold(unknown: Unknown): boolean {
  return Object.values(unknown).every((values) => values !== null)
}

/** The tag of an empty reply: its headers follow from other tables too. */
export function tagOfEmpty(tag: string, unknown: Unknown): string {
  return digestOf(`${tag}\0unknown ${unknownText(unknown) ?? ''}`)
}
