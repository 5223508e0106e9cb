import { type Source, sourceKey } from '../../lake/facts/source.ts'
import type { SourceInTable } from '../../lake/snapshot/snapshot.ts'
import { fileOfPart, haveBlocksInCommon } from './files/block-range.ts'

/** Sources in the table or staged by this run, so that a rerun changes nothing. */
export class KnownSources {
  readonly #byKey = new Map<string, string>()
  readonly #byName = new Map<string, Set<string>>()
  readonly #byFile = new Map<string, Set<string>>()
  readonly #seen = new Set<string>()
  readonly #held = new Map<string, Pick<SourceInTable, 'rows' | 'refused'>>()

  constructor(sources: Iterable<SourceInTable>) {
    for (const source of sources) {
      this.add(source)
      this.#held.set(source.name, source)
    }
  }

  add({ kind, name, sha256 }: Source): void {
    this.#byKey.set(sourceKey({ kind, name }), sha256)
    this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(sha256))
    const file = fileOfPart(name)
    this.#byFile.set(file, (this.#byFile.get(file) ?? new Set()).add(name))
  }

  addNew(source: Source): void {
    this.add(source)
    this.seen(source.name)
  }

  /** Records that this run has seen an artifact of this name, new or not. */
  seen(name: string): void {
    this.#seen.add(name)
  }

  isSeen(name: string): boolean {
    return this.#seen.has(name)
  }

  hasName(name: string): boolean {
    return this.#byName.has(name)
  }

  hasBytes(name: string, sha256: string): boolean {
    return this.#byName.get(name)?.has(sha256) ?? false
  }

  /** Returns counts of rows and open rejects of a source. */
  heldOf(name: string): Pick<SourceInTable, 'rows' | 'refused'> {
    return this.#held.get(name) ?? { rows: 0, refused: 0 }
  }

  /** Returns other parts of the same file with common blocks. */
  overlapping(name: string): readonly string[] {
    const parts = this.#byFile.get(fileOfPart(name)) ?? new Set()
    return [...parts].filter((part) => haveBlocksInCommon(name, part))
  }

  /** Returns the SHA-256 of a source, or undefined. */
  digestOf(source: Source): string | undefined {
    return this.#byKey.get(sourceKey(source))
  }
}
