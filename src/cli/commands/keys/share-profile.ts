import { open, rm } from 'node:fs/promises'
import { fail, ServiceError, sentenceOf } from '../../../base/errors.ts'
import { SHARING_PATH } from '../../../doors/sharing/sharing-options.ts'
import type { KeyTerms } from '../../../keys/api-key.ts'
import { plainAddress } from './plain-address.ts'

export interface ProfileFlags {
  readonly profile?: string
  readonly url?: string
  readonly link?: string
}

/** Returns the endpoint of a profile; undefined without a profile. Errors: `malformed_request`. */
export function endpointOf({ profile, url }: ProfileFlags, { features }: KeyTerms): string | undefined {
  if (profile === undefined) {
    if (url !== undefined)
      fail('malformed_request', '--url is the address in a profile; give --profile FILE too.')
    return undefined
  }
  if (!features.includes('Share'))
    fail(
      'malformed_request',
      '--profile is for a key with the feature Share; name it in --features, or leave --features out.',
    )
  if (url === undefined)
    fail('malformed_request', '--profile needs --url, the address by which the recipient knows the server.')
  const base = plainAddress('--url', url)
  return base.endsWith(SHARING_PATH) ? base : base + SHARING_PATH
}

/**
 * Creates a key and writes it into a new file that only its owner can read. If the file exists, creates no key; if
 * writing fails, revokes the key. Source: the Delta Sharing protocol, "Profile File Format".
 * Errors: `malformed_request`.
 */
export async function writeProfile(
  path: string,
  endpoint: string,
  make: () => Promise<string>,
  undo: (key: string) => Promise<unknown>,
): Promise<string> {
  const handle = await open(path, 'wx', 0o600).catch((cause) => refuse(path, cause))
  let key: string | undefined
  try {
    key = await make()
    const profile = { shareCredentialsVersion: 1, endpoint, bearerToken: key }
    await handle.writeFile(`${JSON.stringify(profile, null, 2)}\n`)
    await handle.sync()
    return key
  } catch (cause) {
    await rm(path, { force: true }).catch(() => {})
    if (key !== undefined) await undo(key)
    if (cause instanceof ServiceError) throw cause
    return refuse(path, cause)
  } finally {
    await handle.close().catch(() => {})
  }
}

function refuse(path: string, cause: unknown): never {
  const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
  const why = isThere ? 'it is there already; name a file that is not' : sentenceOf(cause)
  return fail('malformed_request', `The profile ${path} cannot be written: ${why}.`, { cause })
}
