import { Shared } from '../../base/values/json-writer.ts'
import { rewardManifests, tokenDecimals } from '../../catalog/l2/reward-manifests.ts'
import { type ManifestFacts, noFacts } from '../../catalog/records/member.ts'
import { type Spelling, specifiedSpelling } from '../../catalog/records/spelling.ts'
import type { Row, RowOf } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { Entry } from './entry.ts'
import { type Once, onceFor } from './once.ts'

type ManifestRow = RowOf<typeof rewardManifests>

/** What the manifest of a source file says; nulls where there is none. */
export interface ManifestValues extends ManifestFacts {
  readonly epoch: bigint | null
  readonly token: string | null
}

export const noManifest: ManifestValues = { ...noFacts, epoch: null, token: null }

/** What a row does not say itself. */
export interface RowFacts {
  idOf(row: Row): string
  manifestOf(sourceFile: string): ManifestValues
}

/** The manifests of one snapshot, by the files that they name: a few thousand rows at most, held in memory. */
export class ManifestIndex {
  readonly #byFile = new Map<string, ManifestRow>()
  readonly #values = new Map<string, ManifestValues>()
  readonly #records = new Map<ManifestRow, Shared>()
  readonly #at: Snapshot
  readonly #spelling: Spelling
  /** All of them; of two that name one file the later one comes last. */
  readonly rows: readonly ManifestRow[]
  /** Prices other than 0, by the files that they are for. */
  readonly prices: ReadonlyMap<string, bigint>

  constructor(rows: readonly ManifestRow[], at: Snapshot, spelling: Spelling) {
    this.#at = at
    this.#spelling = spelling
    this.rows = [...rows].sort(compareFileTime)
    for (const row of this.rows) {
      for (const file of row.written_files) this.#byFile.set(file, row)
    }
    const priced = [...this.#byFile].filter(([, row]) => row.price !== 0n)
    this.prices = new Map(priced.map(([file, row]) => [file, row.price]))
  }

  /** The record that a share of this file embeds; null until its manifest is in. */
  recordOf(sourceFile: string): Shared | null {
    const row = this.#byFile.get(sourceFile)
    if (row === undefined) return null
    const record = () => new Entry(rewardManifests, row, this.#at).record({}, this.#spelling)
    const shared = this.#records.get(row) ?? new Shared(record())
    this.#records.set(row, shared)
    return shared
  }

  /** The manifest that names this file. */
  rowOf(sourceFile: string): ManifestRow | undefined {
    return this.#byFile.get(sourceFile)
  }

  valuesOf(sourceFile: string): ManifestValues {
    const price = this.#values.get(sourceFile)
    if (price !== undefined) return price
    const { epoch, token } = this.#byFile.get(sourceFile) ?? noManifest
    const values = { ...this.factsOf(sourceFile), epoch, token }
    this.#values.set(sourceFile, values)
    return values
  }

  factsOf(sourceFile: string): ManifestFacts {
    const row = this.#byFile.get(sourceFile)
    if (row === undefined) return noFacts
    return {
      tokenDecimals: tokenDecimals.get(row.token) ?? null,
      price: row.price === 0n ? null : row.price,
    }
  }
}

/** Of two manifests that name one file the later one counts, so the later one comes last. */
function compareFileTime(a: ManifestRow, b: ManifestRow): number {
  const [first, second] = [fileTime(a), fileTime(b)]
  if (first !== second) return first < second ? -1 : 1
  return a.source_file < b.source_file ? -1 : 1
}

function fileTime({ source_file }: ManifestRow): bigint {
  return BigInt(/\.(\d+)\.gz$/.exec(source_file)?.[1] ?? '0')
}

export type ReadManifests = Once<ManifestIndex>

/** Reads the manifests of a snapshot, once for each version of their table. */
export function manifestReader(engine: Engine, spelling: Spelling = specifiedSpelling): ReadManifests {
  return onceFor(engine, rewardManifests, (rows, at) => new ManifestIndex(rows, at, spelling))
}
