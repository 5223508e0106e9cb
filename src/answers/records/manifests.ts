import { Shared } from '../../base/values/json-writer.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { rewardTokens } from '../../catalog/networks.ts'
import { type ManifestFacts, noFacts } from '../../catalog/records/member.ts'
import { type Spelling, specifiedSpelling } from '../../catalog/records/spelling.ts'
import type { Row, RowOf } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { Entry, EntrySource } from './entry.ts'
import { type Once, onceFor } from './once.ts'

type ManifestRow = RowOf<typeof rewardManifests>

/** Values of the manifest of a source file; nulls without a manifest. */
export interface ManifestValues extends ManifestFacts {
  readonly epoch: bigint | null
  readonly token: string | null
}

export const noManifest: ManifestValues = { ...noFacts, epoch: null, token: null }

/** Row values that need the snapshot. */
export interface RowFacts {
  idOf(row: Row): string
  manifestOf(sourceFile: string): ManifestValues
}

/** The manifests of a snapshot by source file, in memory: a few thousand rows at most. */
export class ManifestIndex {
  readonly #byFile = new Map<string, ManifestRow>()
  readonly #values = new Map<string, ManifestValues>()
  readonly #records = new Map<ManifestRow, Shared>()
  readonly #source: EntrySource
  readonly #spelling: Spelling
  /** Ascending by file time: the later of two manifests that name one file wins. */
  readonly rows: readonly ManifestRow[]
  /** Non-zero prices by source file. */
  readonly prices: ReadonlyMap<string, bigint>

  constructor(rows: readonly ManifestRow[], at: Snapshot, spelling: Spelling) {
    this.#source = new EntrySource(rewardManifests, at)
    this.#spelling = spelling
    this.rows = [...rows].sort(compareFileTime)
    for (const row of this.rows) {
      for (const file of row.written_files) this.#byFile.set(file, row)
    }
    const priced = [...this.#byFile].filter(([, row]) => row.price !== 0n)
    this.prices = new Map(priced.map(([file, row]) => [file, row.price]))
  }

  /** The manifest record that a share embeds; null before the manifest arrives. */
  recordOf(sourceFile: string): Shared | null {
    const row = this.#byFile.get(sourceFile)
    if (row === undefined) return null
    const record = () => new Entry(this.#source, row).record({}, this.#spelling)
    const shared = this.#records.get(row) ?? new Shared(record())
    this.#records.set(row, shared)
    return shared
  }

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
      tokenDecimals: rewardTokens.get(row.token)?.decimals ?? null,
      price: row.price === 0n ? null : row.price,
    }
  }
}

function compareFileTime(a: ManifestRow, b: ManifestRow): number {
  const [first, second] = [fileTime(a), fileTime(b)]
  if (first !== second) return first < second ? -1 : 1
  return a.source_file < b.source_file ? -1 : 1
}

function fileTime({ source_file }: ManifestRow): bigint {
  return BigInt(/\.(\d+)\.gz$/.exec(source_file)?.[1] ?? '0')
}

export type ReadManifests = Once<ManifestIndex>

/** Returns a reader of the manifests, cached per version of their table. */
export function manifestReader(engine: Engine, spelling: Spelling = specifiedSpelling): ReadManifests {
  return onceFor(engine, rewardManifests, (rows, at) => new ManifestIndex(rows, at, spelling))
}
