import type { Engine } from '../../src/engine/engine.ts'
import { openMemoryEngine } from './contract/memory-engine.ts'
import { rowsInFiles } from './tables/rows-in-files.ts'

export const embedded = (own: Engine): Engine => own

/** An engine of arrays over what another reader finds in the lake; it reads nothing by its place in a file. */
export const ofArrays = (): Engine => openMemoryEngine(rowsInFiles())

/** Engines that give the same answers, as what stands around the embedded one. */
export const engines = [
  ['the embedded engine', embedded],
  ['an engine of arrays', ofArrays],
] as const
