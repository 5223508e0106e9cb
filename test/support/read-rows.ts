import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Value } from '../../src/catalog/column.ts'
import type { Resource, Row } from '../../src/catalog/resource.ts'
import { type Artifact, listArtifacts, messageKinds } from '../../src/ingest/artifact.ts'
import { openKindReader } from '../../src/ingest/kinds.ts'
import { openReader } from '../../src/wire/reader.ts'

/** The rows of all oracle files below a folder, decoded one by one; no engine and no lake is involved. */
export async function readRows(folder: string): Promise<(resource: Resource) => readonly Row[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.gz'),
  )
  const { artifacts } = await listArtifacts(
    files.map((name) => join(folder, name)),
    messageKinds,
  )
  const rows = new Map<string, Row[]>()
  for (const artifact of artifacts) readArtifact(artifact, rows)
  return ({ name }) => rows.get(name) ?? []
}

function readArtifact(artifact: Artifact, rows: Map<string, Row[]>): void {
  const { decoder } = openKindReader(artifact.kind)
  const own = rows.get(decoder.resource.name) ?? []
  rows.set(decoder.resource.name, own)
  const content = gunzipSync(readFileSync(artifact.path))
  for (let at = 0, ordinal = 0n; at < content.length; ordinal += 1n) {
    const start = at + 4
    at = start + content.readUInt32BE(at)
    const reader = openReader(content)
    reader.pos = start
    const variant = decoder.decode(reader, at, artifact)
    const values = Object.fromEntries(
      decoder.columns.map((column, slot): [string, Value] => [column, copied(decoder.values[slot] ?? null)]),
    )
    const type = variant === null ? {} : { reward_type: variant }
    own.push({ ...values, ...type, source_file: basename(artifact.path), ordinal })
  }
}

function copied(value: Value): Value {
  return value instanceof Uint8Array ? new Uint8Array(value) : value
}
