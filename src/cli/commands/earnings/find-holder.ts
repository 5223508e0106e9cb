import type { EarningsHolder } from '../../../answers/earnings/hotspots.ts'
import type { Repository } from '../../../answers/repository.ts'
import { isHotspotName } from '../../../answers/search/named-hotspots.ts'
import { fullReach } from '../../../answers/unknown/reach.ts'
import { fail } from '../../../base/errors.ts'
import { quoted } from '../../../base/parameter-text.ts'
import { holdersOf } from '../../../catalog/identities.ts'
import { hotspots } from '../../../catalog/l2/hotspots.ts'
import { searchedTables } from '../../../catalog/records/search-hit.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'

/**
 * Finds out whether texts are names, keys of hotspots, or the address of one owner.
 * Errors: `malformed_request` for a name of several hotspots, `not_found` with the nearest names for an unknown text.
 */
export async function findHolder(
  repository: Repository,
  texts: readonly string[],
  at: Snapshot,
  signal: AbortSignal,
): Promise<EarningsHolder> {
  const { keys, ambiguous } = await repository.named(texts, fullReach, at, signal)
  if (ambiguous.length > 0) fail('malformed_request', `${ambiguous.join('. ')}.`)
  const [text = '', ...others] = texts
  if (others.length === 0 && !keys.has(text) && (await isOwner(repository, text, at, signal)))
    return { owner: text }
  for (const one of texts)
    if (!keys.has(one) && (isHotspotName(one) || (await isUnknownKey(repository, one, at, signal))))
      await refuse(repository, one, at, signal)
  return { texts }
}

/** True if hotspots have the owner, in the spelling of either ledger. */
async function isOwner(repository: Repository, owner: string, at: Snapshot, signal: AbortSignal) {
  const { total } = await repository.list(hotspots, { owner }, { page: 1, perPage: 1 }, at).read(signal)
  return total > 0
}

async function isUnknownKey({ unknown }: Repository, key: string, at: Snapshot, signal: AbortSignal) {
  const identified = { param: 'hotspot', values: [key], holders: holdersOf(hotspots, 'ecc_key') }
  return (await unknown.read([identified], fullReach, at, signal)).hotspot?.length === 1
}

/** Errors: `not_found`, always. */
async function refuse(
  repository: Repository,
  text: string,
  at: Snapshot,
  signal: AbortSignal,
): Promise<never> {
  const near = await nearestTo(repository, text, at, signal)
  const hint = near.length === 0 ? 'Check its spelling.' : `Did you mean ${near.join(', or ')}?`
  return fail('not_found', `No hotspot or owner is called ${quoted(text)}. ${hint}`)
}

const MOST_NEAR = 5
/** A search needs three characters. */
const LEAST = 3

/** Hotspots and owners that begin like a text: with all of it, its first word, or its first characters. */
async function nearestTo(
  { hits }: Repository,
  text: string,
  at: Snapshot,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const among = searchedTables([hotspots])
  const [word = ''] = text.trim().split(/[\s_-]+/)
  for (const q of new Set([text.trim(), word, word.slice(0, 6), word.slice(0, LEAST)])) {
    if (q.length < LEAST) continue
    const answer = await hits.find({ q, among, within: () => ({}) }, at, signal)
    if (answer.hits.length > 0)
      return answer.hits
        .slice(0, MOST_NEAR)
        .map(({ name, key }) => (name === null ? key : `${name} (${key})`))
  }
  return []
}
