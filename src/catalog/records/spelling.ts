import { truncatedDecimal } from '../../base/values/decimal.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { Json } from '../../base/values/json-writer.ts'

/** How values are written in records, where services that answer the same differ. */
export interface Spelling {
  /** Microseconds since 1970, UTC. */
  instant(micros: bigint): string
  /** A name out of a known list. */
  choice(name: string): string
  /** What the specification has as an integer and the source as the text of a longer decimal. */
  truncated(exact: string): Json
}

/** Source: specification, and docs/decisions, "Time in and out" and "Manifest numbers". */
export const specifiedSpelling: Spelling = {
  instant: writeInstant,
  choice: (name) => name,
  truncated: (exact) => truncatedDecimal(exact) ?? null,
}
