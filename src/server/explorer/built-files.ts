/** A script or style of the explorer. Its name changes with its content. */
interface ExplorerFile {
  readonly name: string
  readonly text: string
}

/** What browsers load; `script` and `style` are the names of those that every page begins with. */
export interface ExplorerFiles {
  readonly script: string
  readonly style: string
  readonly files: readonly ExplorerFile[]
}

/** Set by scripts/bundle.mjs; not there when the source runs by itself. */
declare const LEDGERLAKE_EXPLORER: ExplorerFiles | undefined

/** The files that were built into the program; undefined when the source runs by itself. */
export const builtFiles: ExplorerFiles | undefined =
  typeof LEDGERLAKE_EXPLORER === 'object' ? LEDGERLAKE_EXPLORER : undefined
