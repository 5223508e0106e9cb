import { describe, expect, it } from 'vitest'
import { lookups, pathOfKey } from '../../bench/peers/lookups.ts'
import { instantText, inTokens, pageText } from '../../bench/peers/pg-json.mjs'
import { columnsOf, recordWriter, tables } from '../../bench/peers/pg-ledger-tables.mjs'
import { resources } from '../../src/catalog/resources.ts'

describe('the server before PostgreSQL', () => {
  it.each([
    ['0', '0.0'],
    ['1', '0.00000001'],
    ['763757', '0.00763757'],
    ['15411000000', '154.11'],
    ['100000000', '1.0'],
    ['18446744073709551615', '184467440737.09551615'],
  ])('writes %s bones as %s tokens', (digits, tokens) => {
    expect(inTokens(digits, 8)).toBe(tokens)
  })

  it('writes instants of a session in UTC', () => {
    expect(instantText('2025-01-31 00:00:00+00')).toBe('2025-01-31T00:00:00Z')
    expect(instantText('2025-01-31 00:00:00.5+00')).toBe('2025-01-31T00:00:00.5Z')
  })

  it('writes the meta of a page', () => {
    expect(pageText('records', 201, 2, 100, ['{}'])).toBe(
      '{"meta":{"count":1,"total_pages":3,"current_page":2,"next_page":3,"prev_page":1},"records":[{}]}',
    )
    expect(pageText('objects', 0, 1, 25, [])).toBe(
      '{"meta":{"count":0,"total_pages":1,"current_page":1,"next_page":null,"prev_page":null},"objects":[]}',
    )
  })

  it('writes nested members and quoted texts, and all other values unchanged', () => {
    const row = columnsOf(tables.hotspots)
      .split(', ')
      .map((name: string) => (name === 'iot_is_active' ? 't' : name === 'maker' ? '{"a":1}' : null))
    const record = JSON.parse(recordWriter(tables.hotspots)(row))
    expect(record).toMatchObject({
      iot_info: { is_active: true },
      mobile_info: { antenna: null },
      maker: { a: 1 },
    })
  })

  it.each(Object.keys(tables))('has the path and the members of %s in their order', (name) => {
    const resource = resources.find((one) => one.name === name)
    const { path, envelope, members, ...more } = tables[name as keyof typeof tables]
    const named = members.map((one: string | { readonly name: string }) =>
      typeof one === 'string' ? one : one.name,
    )
    const declared = [...Object.keys(resource?.record ?? {}), ...Object.keys(resource?.embeds ?? {})]
    expect(named).toEqual(declared)
    expect({ path, envelope }).toEqual({ path: resource?.rest?.path, envelope: resource?.rest?.envelope })
    expect('keys' in more ? more.keys : undefined).toEqual(resource?.rest?.find?.by)
  })
})

it('a lookup requests a record by its key, or by the id derived from it', () => {
  const paths = lookups.map((kind) => pathOfKey(kind, '12wkTspYs2SD24veUNXgwrswJkrhw5hnH6aNz5zw9uLxb8gSa61'))
  expect(paths[1]).toBe('/v1/net/l1/accounts/12wkTspYs2SD24veUNXgwrswJkrhw5hnH6aNz5zw9uLxb8gSa61')
  expect(paths[3]).toBe('/v1/net/l1/transactions/083f307b-8d63-8e03-9d38-317ba9f622b0')
})
