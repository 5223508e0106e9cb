import type { LoggedFile } from './delta-table.ts'
import { factsOf } from './file-facts.ts'

/** An `add` entry as builds before data format 3 wrote it, so that a test can change what it says: with the facts in its tags. */
export function withInlineFacts(table: string, add: Record<string, unknown>): Record<string, unknown> {
  const { path, tags } = add as unknown as LoggedFile
  const { sources, chunks } = factsOf(table, { path, tags })
  const { 'ledgerlake.facts': _, ...others } = tags
  return {
    ...add,
    tags: {
      ...others,
      'ledgerlake.sources': JSON.stringify(sources),
      ...(chunks.length > 0 && { 'ledgerlake.chunks': JSON.stringify(chunks) }),
    },
  }
}
