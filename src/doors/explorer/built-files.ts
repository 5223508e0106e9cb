/** A script or style of the explorer. Its name changes with its content. */
interface ExplorerFile {
  readonly name: string
  readonly text: string
}

/** Names of what a page begins with. */
export interface Entry {
  readonly script: string
  readonly styles: readonly string[]
}

/** What browsers load. */
export interface ExplorerFiles {
  /** Of the explorer, whichever its page. */
  readonly explorer: Entry
  /** Of the page for GraphQL. */
  readonly graphql: Entry
  readonly files: readonly ExplorerFile[]
}

/** Set by scripts/bundle.mjs; not there when the source runs by itself. */
declare const LEDGERLAKE_EXPLORER: ExplorerFiles | undefined

/** The files that were built into the program; undefined when the source runs by itself. */
export const builtFiles: ExplorerFiles | undefined =
  typeof LEDGERLAKE_EXPLORER === 'object' ? LEDGERLAKE_EXPLORER : undefined
