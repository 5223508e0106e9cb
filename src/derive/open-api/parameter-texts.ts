import { instantPattern } from '../instant-pattern.ts'
import type { Described } from './document-types.ts'
import type { Schema } from './schema.ts'

/** What texts of parameters may be. Patterns say [0-9], since \d is more than that in some languages. */

/** Any text but one with a NUL character, which no stored text has. */
export const anyText: Schema = { type: 'string', pattern: '^[^\\x00]*$' }

/** Text of which something can be seen. */
export const someText: Schema = { type: 'string', minLength: 1, pattern: '^[^\\x00]*[^\\s\\x00][^\\x00]*$' }

export function timeText(utcInWords: boolean): Schema {
  return { type: 'string', pattern: `^${instantPattern(utcInWords)}$` }
}

/** Ids are digits with dots between them, or letters and digits and a digest behind a hyphen: none is a date. */
const SNAPSHOT_ID = '[0-9.]+|[a-z][a-z0-9]*-[0-9a-f]+'

export const snapshotName: Described = {
  description:
    'Snapshot to answer from: its id, out of the header Ledgerlake-Snapshot, or a time in ISO 8601, for the newest one ' +
    'of that moment. The newest of all unless given.',
  schema: { type: 'string', pattern: `^(?:${SNAPSHOT_ID}|${instantPattern()})$` },
}
