/** A file of a table, and what its bytes must be. */
export interface OriginFile {
  readonly table: string
  /** Path within the table: that of a data file, or of a file of facts. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/**
 * Port to a remote lake; it never retries. Errors of all methods: `StoreFault`, of kind `changed` for a file that is not
 * there, or not any more; and the reason of the signal.
 */
export interface LakeOrigin {
  /** How sentences name it, such as `s3://bucket/lake`. */
  readonly name: string
  /** The newest version of each table by its name, all of one moment; what is asked again and again is remembered here. */
  versions(signal: AbortSignal): Promise<ReadonlyMap<string, number>>
  /** The log entries of a table after a version, up to and with another, byte for byte and in their order. */
  entries(table: string, after: number, last: number, signal: AbortSignal): AsyncIterable<string>
  /** The bytes of a file from one on. */
  read(file: OriginFile, from: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  close(): void
}
