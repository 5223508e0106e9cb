import type { Holder } from './holdings.ts'

/** What has to be known to read a statement. */
export function notes(holder: Holder): readonly string[] {
  return [
    'A reward belongs to the day, in the time zone tz, in which the middle of its epoch lies; one of L1 to the day of its block.',
    'earned is everything that a hotspot was paid, in bones of the token: 10^-8 of main, 10^-6 of iot and mobile. Amounts of different tokens are never added.',
    'Under totals, amounts are bones of whatever token each epoch was paid in, as the totals endpoint adds them: paid to hotspots by totals + left_out - only_in_totals + only_here = earned.',
    'usd is at the oracle price at reward time: that of the manifest, on L1 that of Data Credit burns in the same block. It is null where a price is unknown or 0; usd_of_priced is the rest.',
    'owner' in holder
      ? 'Hotspots are those that the owner has in this snapshot; who owned one when it was paid is not known. For hotspots that changed hands, give keys with their days (--keys-file).'
      : 'Hotspots are the keys that were given, each for its days.',
  ]
}
