import type { FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { shareFeatures } from '../../catalog/feature.ts'
import { type ApiKey, whyNotWhole } from '../../keys/api-key.ts'
import { requireFeatures } from '../gate/gate.ts'
import type { SharingContext } from './sharing-options.ts'

const CLOSED =
  'This server needs no keys and shares nothing; it does with --open-share, and with keys that have the feature Share.'

/** Requires a client that may read shared tables. Errors: `feature_not_available`. */
export function requireRecipient({ apiKey }: FastifyRequest, context: Pick<SharingContext, 'isOpen'>): void {
  if (apiKey !== null) requireShareFeature(apiKey)
  else if (!context.isOpen) fail('feature_not_available', CLOSED)
}

/** Checks the recipient of a signed address again when the address is used. Errors: `feature_not_available`. */
export function requireValidRecipient(
  id: string,
  { keys, isOpen }: Pick<SharingContext, 'keys' | 'isOpen'>,
): void {
  if (keys.isLocked()) {
    const key = keys.named(id)
    if (key === undefined) fail('feature_not_available', 'This address was given to a key that was revoked.')
    requireShareFeature(key)
  } else if (!isOpen) fail('feature_not_available', CLOSED)
}

/** Other programs may have written the key file, so look-back is checked again. */
function requireShareFeature(key: ApiKey): void {
  requireFeatures(key, shareFeatures)
  const refused = whyNotWhole('Share', key)
  if (refused !== undefined) fail('feature_not_available', refused)
}
