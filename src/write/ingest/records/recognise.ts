import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import { RecordCutter } from './record-cutter.ts'
import { parseExactly } from './record-kind.ts'

const RECORDS_NAME = /\.(ndjson|jsonl|json)(\.gz)?$/
/** The first record of a file stands within so many bytes. */
const LOOKED_AT = 64 * 1024

/** The table whose records a file brings by its name; undefined when the name says nothing. */
export function resourceByName(path: string): Resource | undefined {
  const name = basename(path)
  if (!RECORDS_NAME.test(name)) return undefined
  return resources.find(({ arrival }) => arrival?.as === 'records' && name.startsWith(arrival.name))
}

/** The table whose members the first record of a file has; undefined for any other file, or one that cannot be read. */
export async function resourceByContent(path: string): Promise<Resource | undefined> {
  if (!RECORDS_NAME.test(path)) return undefined
  const first = await firstRecord(path).catch(() => undefined)
  if (first === null || typeof first !== 'object') return undefined
  return resources.find((resource) => {
    return resource.arrival?.as === 'records' && membersNeeded(resource).every((name) => name in first)
  })
}

/** Members without which no record of a resource is a row. */
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
    // A head of a gzip file is cut; what was unpacked of it counts.
  } finally {
    file.destroy()
  }
  return Buffer.concat(chunks)
}
