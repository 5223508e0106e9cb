import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isObject, type Json, type JsonObject, writeJson } from '../../../base/values/json-writer.ts'
import { makeFolder, unlessMissing } from '../../../lake/disk/disk.ts'
import { parseExactly } from '../../../write/ingest/records/record-reader.ts'
import type { ServicePage } from './read-page.ts'

/** A fetched page. */
export interface FetchedPage extends ServicePage {
  /** Number of the walk, from 1. */
  readonly walk: number
  readonly page: number
  /** Snapshot of the page; null if the service names none. */
  readonly snapshot: string | null
  /** Time of the response, milliseconds since 1970. */
  readonly atMs: number
}

const NEWLINE = 0x0a

/** Fetched pages, one per line, appended and synced. A line that a killed run left incomplete does not count. */
export class WalkLog {
  readonly #path: string
  #file: FileHandle | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Yields the pages in order, then truncates an incomplete or damaged end. */
  async *pages(): AsyncGenerator<FetchedPage> {
    let end = 0
    for await (const line of linesOf(this.#path)) {
      const page = pageOf(line)
      if (page === undefined) break
      end += line.length + 1
      yield page
    }
    const stats = await stat(this.#path).catch(unlessMissing)
    if (stats !== undefined && stats.size > end) await truncate(this.#path, end)
  }

  async append({ records, ...page }: FetchedPage): Promise<void> {
    await makeFolder(dirname(this.#path))
    this.#file ??= await open(this.#path, 'a')
    const numbers = { walk: page.walk, page: page.page, next: page.next, totalPages: page.totalPages }
    const more = { total: page.total, snapshot: page.snapshot, atMs: page.atMs }
    await this.#file.appendFile(`${writeJson({ ...numbers, ...more, records })}\n`)
    await this.#file.datasync()
  }

  async remove(): Promise<void> {
    await this.close()
    await rm(this.#path, { force: true })
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }
}

/** Complete lines of a file without line ends; none if the file does not exist. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  if ((await stat(path).catch(unlessMissing)) === undefined) return
  let rest: Buffer[] = []
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)])
      rest = []
      from = end + 1
    }
    rest.push(chunk.subarray(from))
  }
}

/** Undefined for a line that this program did not write. */
function pageOf(line: Buffer): FetchedPage | undefined {
  let value: Json
  try {
    value = parseExactly(line)
  } catch {
    return undefined
  }
  if (!isObject(value) || !Array.isArray(value.records)) return undefined
  const read: JsonObject = value
  const number = (name: string) => (typeof read[name] === 'bigint' ? Number(read[name]) : null)
  return {
    ...{ records: value.records as readonly Json[], next: number('next'), total: number('total') },
    ...{ walk: number('walk') ?? 0, page: number('page') ?? 0, totalPages: number('totalPages') ?? 0 },
    ...{ snapshot: typeof value.snapshot === 'string' ? value.snapshot : null, atMs: number('atMs') ?? 0 },
  }
}
