import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../../lake/disk/disk.ts'

/** A file below a folder. */
export interface WalkedFile {
  readonly path: string
  readonly bytes: number
}

/**
 * Lists all files below a folder, without following links; empty if the folder is missing. `onUnlisted` receives
 * folders that cannot be listed; by default it throws.
 */
export async function filesBelow(
  folder: string,
  onUnlisted = (_folder: string, error: unknown): void => {
    throw error
  },
): Promise<readonly WalkedFile[]> {
  const entries = await readdir(folder, { withFileTypes: true })
    .catch(unlessMissing)
    .catch((error) => {
      onUnlisted(folder, error)
    })
  const files: WalkedFile[] = []
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files.push(...(await filesBelow(path, onUnlisted)))
    else files.push(...(await fileAt(path)))
  }
  return files
}

/** Returns the file at a path; empty when it is missing. */
export async function fileAt(path: string): Promise<readonly WalkedFile[]> {
  const facts = await lstat(path).catch(unlessMissing)
  return facts === undefined ? [] : [{ path, bytes: facts.size }]
}
