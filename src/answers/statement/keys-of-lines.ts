import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { daysInBoth } from '../../catalog/query/days.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'
import { fullReach } from '../unknown/reach.ts'
import type { HeldKey } from './key-lines.ts'

/**
 * Replaces hotspot names by keys; unknown names stay.
 * Errors: `malformed_request` for an ambiguous name, and for overlapping days of a hotspot.
 */
export async function keysOfLines(
  repository: Repository,
  heldKeys: readonly HeldKey[],
  at: Snapshot,
  signal?: AbortSignal,
): Promise<readonly HeldKey[]> {
  const texts = heldKeys.map(({ key }) => key)
  const { keys, ambiguous } = await repository.named(texts, fullReach, at, signal)
  if (ambiguous.length > 0) fail('malformed_request', `${ambiguous.join('. ')}.`)
  if (keys.size === 0) return heldKeys
  const settled = heldKeys.map((line) => ({ ...line, key: keys.get(line.key) ?? line.key }))
  const before = new Map<string, HeldKey[]>()
  for (const [at, line] of settled.entries()) {
    const earlierLines = before.get(line.key) ?? []
    if (earlierLines.some((earlier) => daysInBoth(earlier, line) !== undefined))
      fail(
        'malformed_request',
        `Two lines have the same days of ${line.key}, one as ${quoted(texts[at] ?? '')}.`,
      )
    before.set(line.key, [...earlierLines, line])
  }
  return settled
}
