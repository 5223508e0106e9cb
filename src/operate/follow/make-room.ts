import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesIn, unlessMissing } from '../../lake/disk/disk.ts'
import { isDataFilePath } from '../../lake/disk/layout.ts'

interface CachedFile {
  readonly path: string
  readonly bytes: number
  /** Time of the download or of the last read, as the file system records it; milliseconds since 1970. */
  readonly usedAt: number
}

/** A file that was just read may be in use. */
const JUST_USED_MS = 60_000

/** Lists the data files of all tables of a copy. */
async function listCachedFiles(lake: string): Promise<readonly CachedFile[]> {
  const files: CachedFile[] = []
  for (const table of await entriesIn(lake)) {
    if (!table.isDirectory() || table.name.startsWith('_')) continue
    for (const entry of await entriesIn(join(lake, table.name))) {
      const folder = join(lake, table.name, entry.name)
      const names = entry.isDirectory() && !entry.name.startsWith('_') ? await entriesIn(folder) : []
      const paths = entry.isFile() ? [entry.name] : names.map(({ name }) => join(entry.name, name))
      for (const path of paths.filter(isDataFilePath)) {
        const stats = await stat(join(lake, table.name, path)).catch(unlessMissing)
        if (stats === undefined) continue
        const { size: bytes, atimeMs, ctimeMs } = stats
        files.push({ path: join(lake, table.name, path), bytes, usedAt: Math.max(atimeMs, ctimeMs) })
      }
    }
  }
  return files
}

/** Total bytes of the data files of a copy. */
export async function sumCachedBytes(lake: string): Promise<number> {
  return (await listCachedFiles(lake)).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Removes the least recently read data files of a copy, until `bytes` more fit into `most`. Readers fetch a removed file again. */
export async function makeRoom(lake: string, bytes: number, most: number, now = Date.now()): Promise<void> {
  const files = await listCachedFiles(lake)
  let excess = files.reduce((sum, file) => sum + file.bytes, bytes) - most
  for (const file of [...files].sort((a, b) => a.usedAt - b.usedAt)) {
    if (excess <= 0 || now - file.usedAt < JUST_USED_MS) return
    await rm(file.path, { force: true })
    excess -= file.bytes
  }
}
