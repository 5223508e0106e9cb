import { defaultStateFolder } from '../lake/disk/layout.ts'
import { openScratchFolder } from '../lake/runs/run-folder.ts'
import type { Settings } from './settings/settings.ts'

/**
 * Opens a scratch folder. If the lake is read-only, returns the folder unchecked: the lake can be served, but queries
 * cannot spill.
 */
export function openSpillFolder(folder: string): ReturnType<typeof openScratchFolder> {
  return openScratchFolder(folder).catch(() => ({ folder, close: async () => {} }))
}

/** Returns the folder of the lake's derived structures. */
export function stateFolderOf({ lake, state }: Settings): string {
  return state === '' ? defaultStateFolder(lake) : state
}
