import { join } from 'node:path'
import { ingestInto } from '../lakes/build-lake.ts'
import {
  dayBefore,
  hotspot,
  iotShare,
  type MadeLake,
  makeLake,
  manifest,
  mobileShare,
} from '../lakes/make-lake.ts'
import { hotspotRecord, writeRecords } from '../messages/record-files.ts'

/** Four days of three hotspots with every state that a day can have. */

/** Furry Linen Bee, in both networks; one whose name is a formula, in one; one without a record. */
export const [bee, evil, nameless] = [hotspot(1), hotspot(2), hotspot(3)]

const iot = (date: string, key: Uint8Array, amounts: object) =>
  iotShare({ ...dayBefore(date), reward_type: 'gateway_reward', hotspot_key: key, ...amounts })

const said = (file: string, date: string, network: 'iot' | 'mobile', token: string, price: bigint) => {
  const { start_period, end_period } = dayBefore(date)
  return manifest({
    ...{ start_timestamp: start_period, end_timestamp: end_period, written_files: [file] },
    ...{ reward_type: network, token: `${network}_reward_token_${token}` as never, price },
  })
}

/** The 14th has no file, the 15th no manifest, the 16th no price. */
const files = {
  'iot/iot_reward_share.1.gz': [
    iot('2025-02-14', bee.raw, { beacon_amount: 150n, witness_amount: 50n }),
    iot('2025-02-14', evil.raw, { witness_amount: 2n ** 63n }),
  ],
  'iot/iot_reward_share.2.gz': [iot('2025-02-16', bee.raw, { beacon_amount: 9n })],
  'iot/iot_reward_share.3.gz': [
    iot('2025-02-17', evil.raw, { beacon_amount: 100n }),
    iot('2025-02-17', nameless.raw, { beacon_amount: 1n }),
  ],
  'iot/reward_manifest.4.gz': [
    said('iot_reward_share.1.gz', '2025-02-14', 'iot', 'main', 400_000_000n),
    said('iot_reward_share.3.gz', '2025-02-17', 'iot', 'main', 0n),
  ],
  'mobile/mobile_reward_share.1.gz': [
    mobileShare({
      ...dayBefore('2025-02-14'),
      ...{ reward_type: 'radio_reward_v2', hotspot_key: bee.raw },
      ...{ base_poc_reward: 30n, boosted_poc_reward: 4n },
    }),
  ],
  'mobile/reward_manifest.2.gz': [said('mobile_reward_share.1.gz', '2025-02-14', 'mobile', 'mobile', 700n)],
}

export async function makeEarningLake(): Promise<MadeLake> {
  const made = await makeLake(files)
  const records = join(made.input, 'hotspots.ndjson')
  writeRecords(records, [
    hotspotRecord('a1', {
      ...{ ecc_key: bee.text, owner: 'owner-a', name: 'Furry Linen Bee' },
      networks: ['iot', 'mobile'],
    }),
    hotspotRecord('a2', { ecc_key: evil.text, owner: 'owner-a', name: '=Evil', networks: ['iot'] }),
    hotspotRecord('b1', { ecc_key: 'key-b1', owner: 'owner-b', name: 'Twin Red Name' }),
    hotspotRecord('b2', { ecc_key: 'key-b2', owner: 'owner-b', name: 'twin-red-name' }),
  ])
  const { failed, refusedRows } = await ingestInto(made.folder, [records])
  if (failed.length > 0 || refusedRows > 0) throw new Error('the made records were not taken in')
  return made
}

/** The file of owner-a from the 13th to the 16th, written by hand. 34 units of 10^-6 MOBILE at 0.0007 USD. */
export const header = 'date,hotspot_name,hotspot_key,network,token,amount,price_usd,usd,state'
export const ownerLines: readonly string[] = [
  `2025-02-13,=Evil,${evil.text},IoT,HNT,92233720368.54775808,4.0,368934881474.19103232,paid`,
  `2025-02-13,Furry Linen Bee,${bee.text},IoT,HNT,0.000002,4.0,0.000008,paid`,
  `2025-02-13,Furry Linen Bee,${bee.text},Mobile,MOBILE,0.000034,0.0007,0.0000000238,paid`,
  `2025-02-14,=Evil,${evil.text},IoT,,,,,data missing`,
  `2025-02-14,Furry Linen Bee,${bee.text},IoT,,,,,data missing`,
  `2025-02-14,Furry Linen Bee,${bee.text},Mobile,,,,,data missing`,
  `2025-02-15,=Evil,${evil.text},IoT,,0.0,,0.0,nothing earned`,
  `2025-02-15,Furry Linen Bee,${bee.text},IoT,,,,,"paid, token unknown"`,
  `2025-02-15,Furry Linen Bee,${bee.text},Mobile,,,,,data missing`,
  `2025-02-16,=Evil,${evil.text},IoT,HNT,0.000001,,,paid`,
  `2025-02-16,Furry Linen Bee,${bee.text},IoT,,0.0,,0.0,nothing earned`,
  `2025-02-16,Furry Linen Bee,${bee.text},Mobile,,,,,data missing`,
]
