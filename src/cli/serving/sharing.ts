import type { Sharing } from '../../doors/sharing/sharing-options.ts'
import { newSecret, readOrMakeSecret } from '../../operate/keys/share-secret.ts'
import { keyFileOf } from '../../services/keys.ts'
import type { Settings } from '../../settings/settings.ts'

/** The secret that signs addresses of shared files: kept beside the key file or, if that folder cannot be written, in this server's memory. */
export async function openShareSecret(settings: Settings): Promise<Buffer> {
  return (await readOrMakeSecret(keyFileOf(settings))) ?? newSecret()
}

/** How a server shares its tables; undefined where it does not. `secret` is that of the parent, in hex, where there is one. */
export async function sharingOf(settings: Settings, secret?: string): Promise<Sharing | undefined> {
  if (!settings.share) return undefined
  return {
    lake: settings.lake,
    secret: secret === undefined ? await openShareSecret(settings) : Buffer.from(secret, 'hex'),
    linkMs: settings.share_link_minutes * 60_000,
    isOpen: settings.open_share,
  }
}
