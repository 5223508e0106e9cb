import { truncatedDecimal } from '../../base/values/decimal.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { Json } from '../../base/values/json-writer.ts'

/** Formats of values in the records of a dialect. */
export interface Spelling {
  /** Microseconds since 1970, UTC. */
  instant(micros: bigint): string
  /** A choice. */
  choice(name: string): string
  /** An integer of the specification that the source has as the text of a longer decimal. */
  truncated(exact: string): Json
}

/** Source: specification, and docs/decisions, "Time in and out" and "Manifest numbers". */
export const specifiedSpelling: Spelling = {
  instant: writeInstant,
  choice: (name) => name,
  truncated: (exact) => truncatedDecimal(exact) ?? null,
}
