import { chmod, mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { logFolderOf, newestText, pathIn } from '../../keys/counting/log-files.ts'
import { readKeys } from '../../keys/key-file.ts'
import { areKeysNeeded, noteKeysNeeded } from '../../keys/keys-needed.ts'
import { usageFileOf } from '../../keys/usage-file.ts'
import { moveInto, unlessMissing } from '../../lake/disk/disk.ts'
import { defaultKeyFile } from '../../lake/disk/layout.ts'

/**
 * Copies a key file and the usage of its keys, readable by their owner only, and parses the copy.
 * Errors: `malformed_request` if the key file is missing or damaged.
 */
export async function copyKeys(from: string, to: string, scratch: string): Promise<void> {
  const keys = await readFile(from).catch(unlessMissing)
  if (keys === undefined)
    fail('malformed_request', `There is no key file at ${from}; name it by --keys, or leave --with-keys out.`)
  await readKeys(from)
  await makePrivateFolder(dirname(to))
  await putPrivate(keys, to, scratch)
  await readKeys(to)
  const used = await readFile(usageFileOf(from)).catch(unlessMissing)
  if (used !== undefined) await putPrivate(used, usageFileOf(to), scratch)
  const counts = newestText(logFolderOf(from))
  // Servers may already count in the target's log.
  if (counts === '' || newestText(logFolderOf(to)) !== '') return
  await makePrivateFolder(logFolderOf(to))
  await putPrivate(Buffer.from(counts, 'latin1'), pathIn(logFolderOf(to), 1), scratch)
}

async function makePrivateFolder(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, 0o700)
}

async function putPrivate(bytes: Buffer, to: string, scratch: string): Promise<void> {
  const temporary = join(scratch, 'private')
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await moveInto(temporary, to)
}

/**
 * Marks the copy of a lake that had keys, so that no server opens it without keys. Errors: those of the file system.
 */
export async function copyKeysNeeded(from: string, to: string): Promise<void> {
  if (!(await areKeysNeeded(from)) && (await readKeys(defaultKeyFile(from))) === undefined) return
  await noteKeysNeeded(to)
  if (!(await areKeysNeeded(to)))
    fail('lake_unwritable', `${to} cannot be written; give access and run it again.`)
}
