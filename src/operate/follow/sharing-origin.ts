import { text as readText } from 'node:stream/consumers'
import { limitBody } from '../object-store/limit-body.ts'
import { StoreFault } from '../object-store/object-store.ts'
import type { LakeOrigin, OriginFile } from './origin.ts'
import { SharingClient, type SharingOptions } from './sharing-client.ts'
import { readSentEntry, readServedLake, type ServedLake } from './sharing-replies.ts'
import { splitLines } from './split-lines.ts'

/** Signed address of a file, and the version that added the file. */
interface FileAddress {
  readonly address: string
  readonly version: number
}

/** Limit on the response with the versions of all tables. */
const MOST_SNAPSHOT_BYTES = 1_000_000
/** Limit on a line with one log entry. A commit of thousands of files has some ten million bytes. */
const MOST_ENTRY_BYTES = 2 ** 26

/** A lake that another ledgerlake shares by Delta Sharing. */
export interface SharingOrigin extends LakeOrigin {
  /** Returns the last served snapshot. */
  served(): ServedLake | undefined
}

export function openSharingOrigin(options: SharingOptions): SharingOrigin {
  const { endpoint: name } = options
  const client = new SharingClient(options)
  /** Addresses by table and path, of all entries read since the versions changed. */
  const addresses = new Map<string, FileAddress>()
  const stale = new Set<string>()
  let tag: string | undefined
  let served: ServedLake | undefined

  async function* entries(table: string, after: number, last: number, signal: AbortSignal) {
    for (let lastSent = after; lastSent < last; ) {
      const { chunks } = await client.get(
        {
          path: `shares/ledgerlake/log/${table}?after=${lastSent}&to=${last}`,
          ...{ statuses: [200], kinds: { 404: 'changed' }, missing: 'it has no such entry' },
        },
        signal,
      )
      const before = lastSent
      for await (const line of splitLines(chunks, MOST_ENTRY_BYTES, name)) {
        const { version, text, files } = readSentEntry(line, name)
        if (version !== lastSent + 1 || version > last)
          throw new StoreFault('passing', `${name} sends version ${version} of ${table}, not ${lastSent + 1}`)
        lastSent = version
        for (const [path, address] of Object.entries(files))
          addresses.set(`${table}/${path}`, { address, version })
        yield text
      }
      if (lastSent === before) throw new StoreFault('passing', `${name} sends no entries of ${table}`)
    }
  }

  /** Returns the address of a file. If the last one was refused, reads its entry again for a new address. */
  async function addressOf({ table, path }: OriginFile, signal: AbortSignal): Promise<string> {
    const key = `${table}/${path}`
    const knownAddress = addresses.get(key)
    if (knownAddress === undefined)
      throw new StoreFault('changed', `${name} names no ${path} of ${table} in the entries that were read`)
    if (!stale.delete(key)) return knownAddress.address
    for await (const _ of entries(table, knownAddress.version - 1, knownAddress.version, signal));
    return addresses.get(key)?.address ?? knownAddress.address
  }

  return {
    name,
    async versions(signal) {
      const { status, headers, chunks } = await client.get(
        {
          path: 'shares/ledgerlake/snapshot',
          headers: tag === undefined ? {} : { 'if-none-match': tag },
          statuses: tag === undefined ? [200] : [200, 304],
          kinds: { 304: 'passing' },
          missing:
            'it has no lake to copy; --url is the address of a ledgerlake of this version or later that serves with --share',
        },
        signal,
      )
      const tooLong = `${name} answers more than ${MOST_SNAPSHOT_BYTES} bytes`
      const text = await readText(limitBody(chunks, MOST_SNAPSHOT_BYTES, tooLong))
      if (status === 304 && served !== undefined) return served.versions
      served = readServedLake(text, name)
      tag = headers.get('etag') ?? undefined
      addresses.clear()
      stale.clear()
      return served.versions
    },
    served: () => served,
    entries,
    async read(file, from, signal) {
      const address = await addressOf(file, signal)
      try {
        const { status, headers, chunks } = await client.get(
          {
            path: `files/${address}`,
            headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
            statuses: [200, 206],
            kinds: { 403: 'expired', 404: 'changed', 416: 'changed' },
            missing: 'it has the file no more',
          },
          signal,
        )
        const range = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1]
        const begin = status === 206 ? Number(range) : 0
        if (begin <= from) return skipBytes(chunks, from - begin)
        throw new StoreFault('passing', `${name} sends ${file.path} from byte ${begin} on, not from ${from}`)
      } catch (error) {
        if (error instanceof StoreFault && error.kind === 'expired') stale.add(`${file.table}/${file.path}`)
        throw error
      }
    },
    close() {
      addresses.clear()
    },
  }
}

/** Skips bytes: a proxy may drop the `Range` header and send the whole file. */
async function* skipBytes(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let toSkip = bytes
  for await (const chunk of chunks) {
    const skipped = Math.min(toSkip, chunk.length)
    toSkip -= skipped
    if (skipped < chunk.length) yield chunk.subarray(skipped)
  }
}
