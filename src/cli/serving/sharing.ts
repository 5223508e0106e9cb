import type { Sharing } from '../../doors/sharing/sharing-options.ts'
import { newSecret, readOrMakeSecret } from '../../keys/share-secret.ts'
import { keyFileOf } from '../../services/keys.ts'
import type { Settings } from '../../services/settings/settings.ts'

/**
 * Returns the secret that signs addresses of shared files. It is stored next to the key file, or only in memory if that
 * folder is not writable.
 */
export async function openShareSecret(settings: Settings): Promise<Buffer> {
  return (await readOrMakeSecret(keyFileOf(settings))) ?? newSecret()
}

/** Returns the sharing options of a server; undefined if it does not share. `secret` is the parent's secret in hex. */
export async function sharingOf(settings: Settings, secret?: string): Promise<Sharing | undefined> {
  if (!settings.share) return undefined
  return {
    lake: settings.lake,
    secret: secret === undefined ? await openShareSecret(settings) : Buffer.from(secret, 'hex'),
    linkMs: settings.share_link_minutes * 60_000,
    isOpen: settings.open_share,
  }
}
