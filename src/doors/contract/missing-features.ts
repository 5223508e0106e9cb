import { ServiceError } from '../../base/errors.ts'
import type { Feature } from '../../catalog/feature.ts'

/** The refusal of a key with the features `granted`; none if it has all that an operation needs. */
export function missingFeatures(
  needs: readonly Feature[],
  granted: readonly Feature[] = [],
): readonly ServiceError[] {
  const missing = needs.filter((feature) => !granted.includes(feature))
  if (missing.length === 0) return []
  const has = granted.length === 0 ? 'none' : granted.join(', ')
  const sentence = `This operation needs the feature ${missing.join(' and ')}; the features of this key are: ${has}.`
  return [new ServiceError('feature_not_available', sentence)]
}
