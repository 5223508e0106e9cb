import { defaultStateFolder } from '../lake/disk/layout.ts'
import { openScratchFolder } from '../lake/runs/run-folder.ts'
import type { Settings } from '../settings/settings.ts'

/** A lake that cannot be written can still be served: then queries do not spill. */
export function openSpillFolder(folder: string): ReturnType<typeof openScratchFolder> {
  return openScratchFolder(folder).catch(() => ({ folder, close: async () => {} }))
}

/** Where derived structures of a lake are kept. */
export function stateFolderOf({ lake, state }: Settings): string {
  return state === '' ? defaultStateFolder(lake) : state
}
