import type { Spelling } from '../catalog/records/spelling.ts'
import type { Resource } from '../catalog/resource.ts'
import type { Engine } from '../engine/engine.ts'
import type { KeyIndex } from '../index/keyed/key-index.ts'
import type { Verdict } from '../lake/integrity/verdict.ts'

/** The parts that tests and benches replace. */
export interface ServiceOptions {
  readonly spelling?: Spelling
  /** Wrap the engine and the index by hotspot that requests use. */
  readonly aroundEngine?: (engine: Engine) => Engine
  readonly aroundIndex?: (index: KeyIndex) => KeyIndex
  /** Tables of fewer rows are answered without indexes. */
  readonly worthwhileRows?: number
  /** Tables beside those that are declared. */
  readonly moreTables?: readonly Resource[]
  /** Is told of what the engine mends by itself, each time. */
  readonly report?: (sentence: string) => void
  /** Told of each file whose bytes were compared with its digest. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Told why a file could not be read, now and then. */
  readonly onUnread?: (error: unknown) => void
  /** Without it files are read unchecked, to measure what checking costs. */
  readonly areFilesChecked?: boolean
}
