/** A script or style; its name changes with its content. */
interface ExplorerFile {
  readonly name: string
  readonly text: string
}

/** Script and styles of a page. */
export interface BuiltFile {
  readonly script: string
  readonly styles: readonly string[]
}

export interface ExplorerFiles {
  /** Entry of all explorer pages. */
  readonly explorer: BuiltFile
  /** Entry of the GraphQL page. */
  readonly graphql: BuiltFile
  readonly files: readonly ExplorerFile[]
  /** The service worker, which names the files of the explorer. */
  readonly worker: string
}

/** Set by scripts/bundle.mjs; undefined when running from source. */
declare const LEDGERLAKE_EXPLORER: ExplorerFiles | undefined

/** Bundled files; undefined when running from source. */
export const builtFiles: ExplorerFiles | undefined =
  typeof LEDGERLAKE_EXPLORER === 'object' ? LEDGERLAKE_EXPLORER : undefined
