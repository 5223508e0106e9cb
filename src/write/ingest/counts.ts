import type { DecodedArtifact } from './decode/decode-artifact.ts'
import type { Artifact, Listing } from './files/artifact.ts'
import type { UnreadablePath } from './files/list-files.ts'

/** How far a run has come; rows are decoded rows, some of which are not committed yet. */
export interface IngestProgress {
  readonly files: number
  readonly filesDone: number
  readonly bytes: number
  readonly bytesDone: number
  readonly rows: number
}

/** What became of every artifact and row. */
export interface IngestSummary {
  /** Files of known kinds and paths that could not be read, all that was looked at. */
  readonly read: number
  readonly stored: number
  /** Files that were in already. */
  readonly skipped: number
  readonly unknown: readonly string[]
  /** Files whose names say that they cannot be read, with the reason. */
  readonly unsupported: readonly UnreadablePath[]
  /** Files that have no blocks, where a range of blocks was asked for. */
  readonly withoutBlocks: readonly string[]
  readonly failed: readonly UnreadablePath[]
  readonly rows: number
  readonly refusedRows: number
  readonly seconds: number
}

/** Counts what becomes of the artifacts and reports progress. */
export class Counts {
  readonly #listing: Listing
  readonly #onProgress: ((progress: IngestProgress) => void) | undefined
  readonly #bytes: number
  readonly #failed: UnreadablePath[] = []
  readonly #stored = { stored: 0, skipped: 0, rows: 0, refusedRows: 0 }
  readonly #done = { filesDone: 0, bytesDone: 0, rows: 0 }

  constructor(listing: Listing, onProgress: ((progress: IngestProgress) => void) | undefined) {
    this.#listing = listing
    this.#bytes = listing.artifacts.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#onProgress = onProgress
  }

  /** Rows of the artifact being decoded, so far, and the part of it that was read, 0 to 1. */
  decoding({ bytes }: Artifact, rows: number, part: number): void {
    this.#report(rows, Math.floor(bytes * part))
  }

  decoded(artifact: Artifact, rows: number): void {
    this.#done.rows += rows
    this.#finish(artifact)
  }

  stored({ statistics, refused }: DecodedArtifact): void {
    this.#stored.stored += 1
    this.#stored.rows += statistics.rows
    this.#stored.refusedRows += refused.length
  }

  skipped(artifact: Artifact): void {
    this.overtaken()
    this.#finish(artifact)
  }

  /** Decoded here, but another program committed it first. */
  overtaken(): void {
    this.#stored.skipped += 1
  }

  /** Decoded, but not committed. */
  leftOut({ path }: Artifact, reason: string): void {
    this.#failed.push({ path, reason })
  }

  failed(artifact: Artifact, reason: string): void {
    this.leftOut(artifact, reason)
    this.#finish(artifact)
  }

  summary(seconds: number): IngestSummary {
    const { artifacts, unknown, unsupported, withoutBlocks, unreadable } = this.#listing
    const { stored, skipped, rows, refusedRows } = this.#stored
    const [read, failed] = [artifacts.length + unreadable.length, [...unreadable, ...this.#failed]]
    return { read, stored, skipped, unknown, unsupported, withoutBlocks, failed, rows, refusedRows, seconds }
  }

  #finish({ bytes }: Artifact): void {
    this.#done.filesDone += 1
    this.#done.bytesDone += bytes
    this.#report(0, 0)
  }

  #report(moreRows: number, moreBytes: number): void {
    const { filesDone, bytesDone, rows } = this.#done
    this.#onProgress?.({
      ...{ files: this.#listing.artifacts.length, filesDone },
      ...{ bytes: this.#bytes, bytesDone: bytesDone + moreBytes },
      rows: rows + moreRows,
    })
  }
}
