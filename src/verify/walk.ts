import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '../lake/disk.ts'

/** A file that lies somewhere below a folder. */
export interface FoundFile {
  readonly path: string
  readonly bytes: number
}

/** Everything below a folder that is no folder; nothing when it is missing. Links are not followed. */
export async function filesBelow(folder: string): Promise<readonly FoundFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessMissing)
  const found: FoundFile[] = []
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await filesBelow(path)))
    else {
      const facts = await lstat(path).catch(unlessMissing)
      if (facts !== undefined) found.push({ path, bytes: facts.size })
    }
  }
  return found
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
