import { listWords } from '../../base/list-words.ts'
import { mainToken, NETWORK_TOKEN_DECIMALS, networkSymbols } from '../../catalog/networks.ts'
import type { StatementHolder } from './holdings.ts'

/** Returns the notes of a summary. `hotspots` is the number of hotspots. */
export function notes({ owners = [], keys }: StatementHolder, hotspots: number): readonly string[] {
  return [
    'A reward belongs to the day, in the time zone tz, in which the middle of its epoch lies; one of L1 to the day of its block.',
    `earned is everything that a hotspot was paid, in bones of the token: ${bones}. Amounts of different tokens are never added.`,
    'Under totals, amounts are bones of whatever token each epoch was paid in, as the totals endpoint adds them: paid to hotspots by totals + left_out - only_in_totals + only_here = earned.',
    'usd is at the oracle price at reward time: that of the manifest, on L1 that of Data Credit burns in the same block. It is null where a price is unknown or 0; usd_of_priced is the rest.',
    ...(owners.length === 0 ? ofKeys : ofOwner(keys !== undefined, hotspots)),
    'The same request of the same snapshot (--as-of) gives the same bytes until vacuum deletes files of the snapshot, by default 168 hours after compact or ingest replaced them. A statement made with --keep can be repeated until it is released.',
  ]
}

const bones = `10^-${mainToken.decimals} of ${mainToken.symbol}, 10^-${NETWORK_TOKEN_DECIMALS} of ${listWords(networkSymbols, 'and')}`

const ofKeys = [
  'Hotspots are the keys that were given, each for its days. Rewards of L1 are those of their gateways; l1.accounts lists the accounts that were paid.',
]

function ofOwner(hasKeys: boolean, hotspots: number): readonly string[] {
  const sold = 'For hotspots that changed hands, add keys with their days (--keys-file).'
  return [
    'Rewards of L1 are those that the ledger paid to the account of the owner, whoever owns the gateway now. What it paid to other accounts for hotspots of this statement is in no sum; l1.accounts has it with is_stated false.',
    hotspots === 0
      ? `No hotspot belongs to the owner in this snapshot, so this statement has no rewards of L2. ${sold}`
      : `Hotspots are those that the owner has in this snapshot; who owned one when L2 paid it is not known. ${hasKeys ? 'Keys that were given count on their days alone.' : sold}`,
  ]
}
