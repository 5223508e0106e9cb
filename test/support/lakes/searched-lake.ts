import { join } from 'node:path'
import { l1Accounts } from '../../../src/catalog/l1/accounts.ts'
import { l1Gateways } from '../../../src/catalog/l1/gateways.ts'
import { l1Transactions } from '../../../src/catalog/l1/transactions.ts'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import { makers } from '../../../src/catalog/l2/makers.ts'
import type { Row } from '../../../src/catalog/resource.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { copyOnceMade } from './once-a-run.ts'
import { storeMadeUp } from './store-made-up.ts'

/** Rows that searches find, in no order; of hotspots and transactions there are several chunks. */
export const searchedRows: Readonly<Record<string, readonly Row[]>> = {
  hotspots: [
    hotspot(1, 'angry-purple-tiger', { ecc_key: '11angryTiger', owner: 'ownerOfMany' }),
    hotspot(2, 'angry-purple-toad', { ecc_key: '11angryToad', owner: 'ownerOfTwo' }),
    hotspot(3, 'angry-pure-swan', { ecc_key: '11angrySwan', owner: 'ownerOfTwo' }),
    hotspot(4, 'Angry Written Otherwise', { ecc_key: '11otherwise', owner: 'ownerAlone' }),
    hotspot(6, 'ANGRY odd one', { ecc_key: '11odd', owner: 'ownerAlone' }),
    // The same name, and the same key, under another asset.
    hotspot(5, 'angry-purple-tiger', { ecc_key: '11angryTiger', owner: 'ownerOfMany' }),
    ...Array.from({ length: 9000 }, (_, place) =>
      hotspot(100 + place, `many-${word((place * 7919) % 9000)}-hotspots`, {
        ecc_key: `112${word((place * 31) % 9000)}`,
        owner: place < 600 ? 'ownerOfMany' : `owner${word(place % 3000)}`,
      }),
    ),
  ],
  makers: [
    maker('Angry Radios', 'maker1'),
    maker('ANGRY antennas', 'maker2'),
    maker('Quiet Radios', 'angryMaker'),
  ],
  accounts: ['13angryAccount', '13angryAccounts', '14other', 'ownerOfMany'].map((address) => ({ address })),
  gateways: [
    { address: '11angryTiger', name: 'angry-purple-tiger' },
    { address: '11nameless', name: null },
    ...Array.from({ length: 5000 }, (_, place) => ({
      address: `11g${word(place)}`,
      name: `grey-gateway-${word((place * 11) % 5000)}`,
    })),
  ],
  transactions: Array.from({ length: 9000 }, (_, place) => ({
    block: BigInt(1 + (place >> 3)),
    transaction_hash: `h${word((place * 4871) % 9000)}-angry_${place}`,
    type: 'payment_v2',
    fields: '{}',
    time: 1_600_000_000n + BigInt(place),
  })),
}

/** A lake of these rows, without anything derived. It is stored once for all test files of a run, and copied. */
export async function searchedLake(): Promise<string> {
  const lake = join(await temporaryFolder(), 'lake')
  await copyOnceMade('searched', lake, storeSearched)
  return lake
}

async function storeSearched(lake: string): Promise<void> {
  const { hotspots: ofHotspots = [], makers: ofMakers = [] } = searchedRows
  const { accounts = [], gateways = [], transactions = [] } = searchedRows
  await storeMadeUp(lake, hotspots, { 'hotspots.ndjson': ofHotspots })
  await storeMadeUp(lake, makers, { 'makers.ndjson': ofMakers })
  await storeMadeUp(lake, l1Accounts, { 'accounts.csv.gz': accounts })
  await storeMadeUp(lake, l1Gateways, { 'gateways.csv.gz': gateways })
  await storeMadeUp(lake, l1Transactions, { 'transactions.csv.gz': transactions })
}

function hotspot(number: number, name: string, more: Row): Row {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  return { id, asset_id: `asset${number}`, networks: ['iot'], name, ...more }
}

function maker(name: string, address: string): Row {
  const number = { maker1: 1, maker2: 2, angryMaker: 3 }[address]
  return {
    id: `00000000-0000-4000-9000-00000000000${number}`,
    name,
    address,
    bump_seed: 1,
    collection_bump_seed: 1,
  }
}

/** Four letters for a number below 456,976, in its order. */
function word(number: number): string {
  const letter = (place: number) => String.fromCharCode(97 + (Math.floor(number / 26 ** place) % 26))
  return [3, 2, 1, 0].map(letter).join('')
}
