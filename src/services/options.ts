import type { Spelling } from '../catalog/records/spelling.ts'
import type { Resource } from '../catalog/resource.ts'
import type { Engine } from '../engine/engine.ts'
import type { KeyIndex } from '../index/keyed/key-index.ts'
import type { Verdict } from '../lake/integrity/verdict.ts'

/** Options that replace parts in tests and benches. */
export interface ServiceOptions {
  readonly spelling?: Spelling
  /** Wrap the engine and the index by hotspot that requests use. */
  readonly aroundEngine?: (engine: Engine) => Engine
  readonly aroundIndex?: (index: KeyIndex) => KeyIndex
  /** Tables with fewer rows get no indexes. */
  readonly worthwhileRows?: number
  /** Additional tables. */
  readonly moreTables?: readonly Resource[]
  /** Called each time the engine repairs itself. */
  readonly report?: (sentence: string) => void
  /** Called after each checksum of a file. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Called with the error of an unreadable file, at most once a minute. */
  readonly onUnread?: (error: unknown) => void
}
