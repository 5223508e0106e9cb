import { describe, expect, it } from 'vitest'
import { type Json, Verbatim, writeJson } from '../../../src/base/values/json-writer.ts'
import { l1Accounts } from '../../../src/catalog/l1/accounts.ts'
import { l1Gateways } from '../../../src/catalog/l1/gateways.ts'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import { makers } from '../../../src/catalog/l2/makers.ts'
import { noFacts } from '../../../src/catalog/records/member.ts'
import { toRecord } from '../../../src/catalog/records/record.ts'
import { rowOfRecord } from '../../../src/catalog/records/row-of-record.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { parseExactly } from '../../../src/write/ingest/records/record-reader.ts'

const id = '00000000-1111-4222-8333-444455556666'
const most = 2n ** 63n - 1n

const hotspot: Row = {
  ...{
    id,
    asset_id: 'a',
    ecc_key: 'k',
    owner: 'ö "quoted"',
    networks: ['mobile', 'iot'],
    name: '',
    maker_id: id,
  },
  maker: `{"id":"${id}","fee":${most}}`,
  ...{ iot_location: 631280284262249471n, iot_elevation: -(2 ** 31), iot_gain: 2 ** 31 - 1 },
  ...{ iot_is_full_hotspot: true, iot_num_location_asserts: 0, iot_is_active: false },
  ...{ iot_dc_onboarding_fee_paid: most, mobile_location: 631210974345730047n, mobile_is_full_hotspot: null },
  ...{ mobile_num_location_asserts: null, mobile_is_active: null, mobile_dc_onboarding_fee_paid: 0n },
  ...{ mobile_device_type: 'wifi_data_only', mobile_antenna: 2n ** 53n + 1n, mobile_azimuth: 359 },
  ...{ mobile_mechanical_down_tilt: null, mobile_electrical_down_tilt: 1 },
}
const maker: Row = {
  ...{ id, address: 'A', update_authority: 'u', issuing_authority: 'i', name: 'N', bump_seed: 255 },
  ...{ collection: 'c', merkle_tree: 'm', collection_bump_seed: 0, dao: 'd' },
}
const account: Row = {
  ...{ address: 'A', balance: most, nonce: 0n, dc_balance: 1n, dc_nonce: 2n, security_balance: 3n },
  ...{
    security_nonce: 4n,
    first_block: 5n,
    last_block: 6n,
    staked_balance: 7n,
    mobile_balance: 8n,
    iot_balance: 9n,
  },
}
const rows: readonly (readonly [name: string, resource: Resource, row: Row])[] = [
  ['a hotspot of both networks', hotspots, hotspot],
  ['a hotspot without a maker', hotspots, { ...hotspot, maker: null, maker_id: null }],
  ['a maker', makers, maker],
  ['an account', l1Accounts, account],
]

describe('a REST record is read back as the row that it came from:', () => {
  it.each(rows)('%s', (_name, resource, row) => {
    const embedded =
      resource === hotspots ? { maker: row.maker === null ? null : new Verbatim(String(row.maker)) } : {}
    const record = toRecord(resource, row, String(row.id), noFacts, embedded)
    for (const isText of [false, true]) {
      const read = rowOfRecord(resource, parseExactly(Buffer.from(writeJson(record, isText))))
      expect({ ...read, maker: null }).toEqual({ ...row, maker: null })
      if (!isText) expect(read.maker).toEqual(row.maker)
    }
  })

  it('a record with a time, an object and a list', () => {
    const record = {
      ...{ address: 'A', first_block: 1n, last_block: 2n, nonce: 0n, elevation: 1n, gain: 2n },
      ...{
        witnesses: { w: { histogram: {}, first_time: '9007199254740993' } },
        first_timestamp: '2021-05-01T12:34:56Z',
      },
    }
    expect(rowOfRecord(l1Gateways, record)).toMatchObject({
      witnesses: '{"w":{"histogram":{},"first_time":"9007199254740993"}}',
      first_timestamp: BigInt(Date.UTC(2021, 4, 1, 12, 34, 56)) * 1000n,
      elevation: 1,
    })
    const wrong: Json = { ...record, first_timestamp: 'yesterday' }
    expect(() => rowOfRecord(l1Gateways, wrong)).toThrow(
      'first_timestamp is "yesterday"; expected an ISO 8601 time',
    )
  })
})
