import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail } from '../base/errors.ts'
import { errorCodeOf, syncFolder, unlessMissing } from '../lake/disk/disk.ts'
import { checksumOf } from './line-checksum.ts'

/** Creates a secret of 256 random bits, which signs addresses of shared files. */
export const newSecret = () => randomBytes(32)

/**
 * Returns the secret of all servers with this key file, stored next to it, and creates it with mode 600 if missing.
 * Undefined if it is missing and cannot be written.
 * Errors: `malformed_request` if the file has other content.
 */
export async function readOrMakeSecret(keyFile: string): Promise<Buffer | undefined> {
  const path = secretFileOf(keyFile)
  try {
    return (await readSecret(path)) ?? (await makeSecret(path))
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(errorCodeOf(error) ?? '')) return undefined
    throw error
  }
}

export function secretFileOf(keyFile: string): string {
  return `${keyFile.replace(/\.ndjson$/, '')}.share-secret`
}

/** Returns undefined if the file is missing. Errors: `malformed_request` if it has other content. */
export async function readSecret(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch(unlessMissing)
  if (text === undefined) return undefined
  const [, digits = '', checksum] = /^([\da-f]{64}) ([\w-]{4})\n$/.exec(text) ?? []
  if (checksum === checksumOf(digits)) return Buffer.from(digits, 'hex')
  return fail(
    'malformed_request',
    `${path} holds no secret for addresses of shared files; delete it, and the next start makes a new one.`,
  )
}

/** Creates a secret. Concurrent calls all return the secret of the first. */
async function makeSecret(path: string): Promise<Buffer | undefined> {
  const temporary = `${path}.${randomUUID()}.tmp`
  await mkdir(dirname(path), { recursive: true })
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      const digits = newSecret().toString('hex')
      await handle.writeFile(`${digits} ${checksumOf(digits)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(temporary, path).catch((error) => {
      if (errorCodeOf(error) !== 'EEXIST') throw error
    })
    await syncFolder(dirname(path))
  } finally {
    await rm(temporary, { force: true }).catch(() => {})
  }
  return await readSecret(path)
}
