import type { FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { shareFeatures } from '../../catalog/feature.ts'
import { type ApiKey, whyNotWhole } from '../../operate/keys/api-key.ts'
import { requireFeatures } from '../gate/gate.ts'
import type { SharingContext } from './sharing-options.ts'

const CLOSED =
  'This server needs no keys and shares nothing; it does with --open-share, and with keys that have the feature Share.'

/** Whoever may ask for tables. Errors: `feature_not_available`. */
export function requireRecipient({ apiKey }: FastifyRequest, context: Pick<SharingContext, 'isOpen'>): void {
  if (apiKey !== null) requireShareOf(apiKey)
  else if (!context.isOpen) fail('feature_not_available', CLOSED)
}

/** The same of an address that was given to a key, or to anybody, when it is used. Errors: `feature_not_available`. */
export function requireStill(id: string, { keys, isOpen }: Pick<SharingContext, 'keys' | 'isOpen'>): void {
  if (keys.isLocked()) {
    const key = keys.named(id)
    if (key === undefined) fail('feature_not_available', 'This address was given to a key that was revoked.')
    requireShareOf(key)
  } else if (!isOpen) fail('feature_not_available', CLOSED)
}

/** The key file may be written by others. */
function requireShareOf(key: ApiKey): void {
  requireFeatures(key, shareFeatures)
  const refused = whyNotWhole('Share', key)
  if (refused !== undefined) fail('feature_not_available', refused)
}
