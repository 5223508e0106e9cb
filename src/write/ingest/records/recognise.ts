import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import { RecordCutter } from './record-cutter.ts'
import { parseExactly } from './record-reader.ts'

const RECORDS_NAME = /\.(ndjson|jsonl|json)(\.gz)?$/
/** Bytes read to find the first record. */
const LOOKED_AT = 64 * 1024

/** Returns the table of a records file by its name, or undefined. */
export function resourceByName(path: string): Resource | undefined {
  const name = basename(path)
  if (!RECORDS_NAME.test(name)) return undefined
  return resources.find(({ arrival }) => arrival?.as === 'records' && name.startsWith(arrival.name))
}

/** Returns the table that matches the first record; undefined for other or unreadable files. */
export async function resourceByContent(path: string): Promise<Resource | undefined> {
  if (!RECORDS_NAME.test(path)) return undefined
  const first = await firstRecord(path).catch(() => undefined)
  if (first === null || typeof first !== 'object') return undefined
  return resources.find((resource) => {
    return resource.arrival?.as === 'records' && membersNeeded(resource).every((name) => name in first)
  })
}

/** Returns the members that every record of a resource needs. */
function membersNeeded({ columns, record = {} }: Resource): readonly string[] {
  return Object.keys(record).filter(
    (name) => columns[name]?.nullable === false && columns[name].kind !== 'texts',
  )
}

async function firstRecord(path: string): Promise<unknown> {
  let first: unknown
  const cutter = new RecordCutter((buffer, start, end, ordinal) => {
    if (ordinal === 0) first = parseExactly(buffer.subarray(start, end))
  })
  const head = await readHead(path)
  cutter.push(head)
  if (first === undefined && head.length < LOOKED_AT) cutter.finish()
  return first
}

async function readHead(path: string): Promise<Buffer> {
  const file = createReadStream(path, { end: LOOKED_AT - 1 })
  const content = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  file.on('error', (error) => content.destroy(error))
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= LOOKED_AT) break
    }
  } catch {
    // The head of a gzip file is truncated; use the unpacked part.
  } finally {
    file.destroy()
  }
  return Buffer.concat(chunks)
}
