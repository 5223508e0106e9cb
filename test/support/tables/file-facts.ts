import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Facts, writeFacts } from '../../../src/lake/facts/facts.ts'
import type { LoggedFile } from './delta-table.ts'

type Tagged = Pick<LoggedFile, 'path' | 'tags'>

/** Where the facts of a file of a log lie; undefined when they stand in its tags. */
export function factsLocationOf(table: string, { tags }: Tagged): string | undefined {
  const [digest] = tags['ledgerlake.facts']?.split(' ') ?? []
  return digest === undefined ? undefined : join(table, '_facts', `${digest}.json.gz`)
}

/** The sources and chunks of a file of a log, beside the log or in its tags. What lies beside must have its digest and length. */
export function factsOf(
  table: string,
  file: Tagged,
): { readonly sources: readonly never[]; readonly chunks: readonly unknown[] } {
  const [digest, bytes] = file.tags['ledgerlake.facts']?.split(' ') ?? []
  const path = factsLocationOf(table, file)
  if (path === undefined) {
    const [sources, chunks] = ['sources', 'chunks'].map((name) => file.tags[`ledgerlake.${name}`] ?? '[]')
    return { sources: JSON.parse(sources ?? ''), chunks: JSON.parse(chunks ?? '') }
  }
  const content = readFileSync(path)
  assert.equal(
    createHash('sha256').update(content).digest('hex'),
    digest,
    `${path} is not what its entry says`,
  )
  assert.equal(String(content.length), bytes, `${path} has another length than its entry says`)
  const facts = JSON.parse(gunzipSync(content).toString())
  assert.equal(facts.file, decodeURIComponent(file.path), `${path} is of another file`)
  return facts
}

type WrittenFacts = ReturnType<typeof factsOf>

/** Tags as builds wrote them before data format 3: with the facts in them. */
export function inlineTags(sha256: string, facts: Facts): Record<string, string> {
  return { 'ledgerlake.sha256': sha256, ...tagsOf(writeFacts(facts) as WrittenFacts) }
}

const tagsOf = ({ sources, chunks }: WrittenFacts) => ({
  'ledgerlake.sources': JSON.stringify(sources),
  ...(chunks.length > 0 && { 'ledgerlake.chunks': JSON.stringify(chunks) }),
})

/** An `add` entry as builds before data format 3 wrote it, so that a test can change what it says: with the facts in its tags. */
export function withInlineFacts(table: string, add: Record<string, unknown>): Record<string, unknown> {
  const { path, tags } = add as unknown as LoggedFile
  const { 'ledgerlake.facts': _, ...others } = tags
  return { ...add, tags: { ...others, ...tagsOf(factsOf(table, { path, tags })) } }
}
