import type { Artifact, Listing } from './artifact.ts'
import type { DecodedArtifact } from './decode-artifact.ts'
import type { UnreadablePath } from './list-files.ts'

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
  /** Files that have no blocks, where a range of blocks was asked for. */
  readonly withoutBlocks: readonly string[]
  readonly failed: readonly UnreadablePath[]
  readonly rows: number
  readonly refusedRows: number
  readonly seconds: number
}

/** Counts what becomes of the artifacts and tells whoever listens. */
export class Counts {
  readonly #onProgress: ((progress: IngestProgress) => void) | undefined
  readonly #files: number
  readonly #bytes: number
  readonly #unreadable: readonly UnreadablePath[]
  readonly #failed: UnreadablePath[] = []
  #filesDone = 0
  #bytesDone = 0
  #decodedRows = 0
  #stored = 0
  #skipped = 0
  #rows = 0
  #refusedRows = 0

  constructor(
    { artifacts, unreadable }: Listing,
    onProgress: ((progress: IngestProgress) => void) | undefined,
  ) {
    this.#unreadable = unreadable
    this.#files = artifacts.length
    this.#bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0)
    this.#onProgress = onProgress
  }

  /** Paths that could not be looked at. */
  get unreadable(): number {
    return this.#unreadable.length
  }

  /** Rows of the artifact being decoded, so far, and the part of it that was read, 0 to 1. */
  decoding({ bytes }: Artifact, rows: number, part: number): void {
    this.#tell(this.#decodedRows + rows, Math.floor(bytes * part))
  }

  decoded(artifact: Artifact, rows: number): void {
    this.#decodedRows += rows
    this.#finish(artifact)
  }

  stored({ statistics, refused }: DecodedArtifact): void {
    this.#stored += 1
    this.#rows += statistics.rows
    this.#refusedRows += refused.length
  }

  skipped(artifact: Artifact): void {
    this.#skipped += 1
    this.#finish(artifact)
  }

  /** Decoded here, but another program committed it first. */
  overtaken(): void {
    this.#skipped += 1
  }

  /** Decoded, but not committed. */
  leftOut({ path }: Artifact, reason: string): void {
    this.#failed.push({ path, reason })
  }

  failed(artifact: Artifact, reason: string): void {
    this.#failed.push({ path: artifact.path, reason })
    this.#finish(artifact)
  }

  summary({ unknown, withoutBlocks }: Listing, seconds: number): IngestSummary {
    return {
      read: this.#files + this.#unreadable.length,
      stored: this.#stored,
      skipped: this.#skipped,
      unknown,
      withoutBlocks,
      failed: [...this.#unreadable, ...this.#failed],
      rows: this.#rows,
      refusedRows: this.#refusedRows,
      seconds,
    }
  }

  #finish(artifact: Artifact): void {
    this.#filesDone += 1
    this.#bytesDone += artifact.bytes
    this.#tell(this.#decodedRows)
  }

  #tell(rows: number, bytesOfNext = 0): void {
    this.#onProgress?.({
      files: this.#files,
      filesDone: this.#filesDone,
      bytes: this.#bytes,
      bytesDone: this.#bytesDone + bytesOfNext,
      rows,
    })
  }
}
