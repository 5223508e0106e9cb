import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { defaultStateFolder } from '../lake/disk/layout.ts'
import { openScratchFolder } from '../lake/runs/run-folder.ts'
import type { Settings } from './settings/settings.ts'

/**
 * Opens a scratch folder, or one of the system if the lake is read-only. If neither is writable, returns the folder
 * unchecked: the lake can be served, but queries cannot spill.
 */
export function openSpillFolder(folder: string): ReturnType<typeof openScratchFolder> {
  return openScratchFolder(folder)
    .catch(() => openScratchFolder(join(tmpdir(), `ledgerlake-${userInfo().uid}`)))
    .catch(() => ({ folder, close: async () => {} }))
}

/** Returns the folder of the lake's derived structures. */
export function stateFolderOf({ lake, state }: Settings): string {
  return state === '' ? defaultStateFolder(lake) : state
}
