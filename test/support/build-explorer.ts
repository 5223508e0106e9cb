import { bundleExplorer } from '../../scripts/bundle.mjs'
import type { ExplorerFiles } from '../../src/doors/explorer/built-files.ts'

let built: Promise<ExplorerFiles> | undefined

/** The files of the explorer as a build has them, made once for all tests of a worker. */
export function builtExplorer(): Promise<ExplorerFiles> {
  built ??= bundleExplorer().then(({ files }) => files)
  return built
}
