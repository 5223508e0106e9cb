import { fail } from '../../base/errors.ts'
import { hashFile, unlessMissing } from '../../lake/disk/disk.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { Remote } from './remote.ts'

/**
 * Throws for damaged files: rewriting one would hide the damage under a new checksum. A copy downloads the file again
 * first.
 * Errors: `lake_damaged`; those of the remote.
 */
export async function refuseDamaged(files: readonly DataFile[], remote?: Remote): Promise<void> {
  await remote?.bring(files)
  for (const file of files) {
    const { path, sha256 } = file
    let actual = await hashFile(path).catch(unlessMissing)
    if (actual !== sha256 && remote !== undefined) {
      await remote.bring([file], true)
      actual = await hashFile(path).catch(unlessMissing)
    }
    if (actual === undefined) fail('lake_damaged', `${path} is missing; restore it from a copy.`)
    if (actual !== sha256)
      fail('lake_damaged', `${path} has SHA-256 ${actual}, the log says ${sha256}; restore it from a copy.`)
  }
}
