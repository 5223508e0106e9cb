/** A file of a table, with its expected size and digest. */
export interface OriginFile {
  readonly table: string
  /** Path of a data file or a facts file within the table. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/**
 * Port to a remote lake. It never retries.
 * Errors of all methods: `StoreFault`, with kind `changed` if a file does not exist or no longer exists; the reason of
 * the signal.
 */
export interface LakeOrigin {
  /** Address in messages, such as `s3://bucket/lake`. */
  readonly name: string
  /** Newest version of each table, by name, all of one moment. Implementations cache for frequent calls. */
  versions(signal: AbortSignal): Promise<ReadonlyMap<string, number>>
  /** Log entries of a table after version `after` up to `last`, byte for byte, in order. */
  entries(table: string, after: number, last: number, signal: AbortSignal): AsyncIterable<string>
  /** Bytes of a file from offset `from`. */
  read(file: OriginFile, from: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  close(): void
}
