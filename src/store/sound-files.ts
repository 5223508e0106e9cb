import { fail } from '../errors.ts'
import type { DataFile } from '../lake/data-file.ts'
import { hashFile } from '../lake/disk.ts'
import type { Remote } from './remote.ts'

/** What is damaged must not come back under a new digest, as if it were whole. Errors: `lake_damaged`; those of the remote. */
export async function refuseDamaged(files: readonly DataFile[], remote?: Remote): Promise<void> {
  await remote?.bring(files)
  for (const { path, sha256 } of files) {
    const found = await hashFile(path)
    if (found !== sha256)
      fail('lake_damaged', `${path} has SHA-256 ${found}, the log says ${sha256}; restore it from a copy.`)
  }
}
