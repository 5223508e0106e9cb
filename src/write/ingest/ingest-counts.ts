import type { DecodedArtifact } from './decode/decode-artifact.ts'
import type { Artifact, Listing } from './files/artifact.ts'
import type { UnreadablePath } from './files/list-files.ts'

/** Progress of a run; rows are decoded rows, not all of them committed. */
export interface IngestProgress {
  readonly files: number
  readonly filesDone: number
  readonly bytes: number
  readonly bytesDone: number
  readonly rows: number
}

/** Result of an ingest run. */
export interface IngestSummary {
  /** Number of files of known kinds and of unreadable paths. */
  readonly read: number
  readonly stored: number
  /** Files that the lake has already. */
  readonly skipped: number
  readonly unknown: readonly string[]
  /** Files with a name of an unsupported kind, with the reason. */
  readonly unsupported: readonly UnreadablePath[]
  /** Files without blocks, when a range of blocks is given. */
  readonly withoutBlocks: readonly string[]
  readonly failed: readonly UnreadablePath[]
  readonly rows: number
  readonly refusedRows: number
  readonly seconds: number
}

/** Counts results per artifact and reports progress. */
export class IngestCounts {
  readonly #listing: Listing
  readonly #onProgress: ((progress: IngestProgress) => void) | undefined
  #artifacts: number
  #bytes: number
  readonly #unknown: string[]
  readonly #failed: UnreadablePath[] = []
  readonly #stored = { stored: 0, skipped: 0, rows: 0, refusedRows: 0 }
  readonly #done = { filesDone: 0, bytesDone: 0, rows: 0 }

  constructor(listing: Listing, onProgress: ((progress: IngestProgress) => void) | undefined) {
    this.#listing = listing
    this.#artifacts = listing.artifacts.length
    this.#bytes = listing.artifacts.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#unknown = [...listing.unknown]
    this.#onProgress = onProgress
  }

  /** Adds the artifacts of a file of an export. */
  expectArtifacts(artifacts: readonly Artifact[]): void {
    this.#artifacts += artifacts.length
    for (const { bytes } of artifacts) this.#bytes += bytes
  }

  /** A file of an export that cannot be opened. */
  countUnreadable(file: UnreadablePath): void {
    this.#artifacts += 1
    this.#failed.push(file)
  }

  countUnknown(path: string): void {
    this.#unknown.push(path)
  }

  /** `rows` so far of the artifact being decoded; `part` is the share of bytes read, 0 to 1. */
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

  /** Another program committed the artifact first. */
  overtaken(): void {
    this.#stored.skipped += 1
  }

  /** Decoded, but not committed. */
  leftOut({ path }: Artifact, reason: string): void {
    // Damage to a file of an export is that of each of its artifacts.
    const last = this.#failed.at(-1)
    if (last?.path !== path || last.reason !== reason) this.#failed.push({ path, reason })
  }

  failed(artifact: Artifact, reason: string): void {
    this.leftOut(artifact, reason)
    this.#finish(artifact)
  }

  summary(seconds: number): IngestSummary {
    const { unsupported, withoutBlocks, unreadable } = this.#listing
    const { stored, skipped, rows, refusedRows } = this.#stored
    const [read, failed] = [this.#artifacts + unreadable.length, [...unreadable, ...this.#failed]]
    const unknown = this.#unknown.sort()
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
      ...{ files: this.#artifacts, filesDone },
      ...{ bytes: this.#bytes, bytesDone: bytesDone + moreBytes },
      rows: rows + moreRows,
    })
  }
}
