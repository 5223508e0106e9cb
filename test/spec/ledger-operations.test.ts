import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  askPage,
  bringsIds,
  compareEnds,
  MOST_PER_PAGE,
  type Query,
  walkList,
  withoutId,
} from '../support/archive/ask.ts'
import { ancestorOf, resolutionOf } from '../support/archive/cells.ts'
import {
  expectedRecords,
  type ListOperation,
  ledgerOperations,
  networkIn,
} from '../support/archive/operations.ts'
import { filterText, nobodysValue, pairsOf, spread, valuesByCount } from '../support/archive/queries.ts'
import type { Exact, ExactRecord } from '../support/archive/records.ts'
import { Fraction, readExact } from '../support/exact-json.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { some } from '../support/some.ts'
import { scaled } from '../support/tier.ts'

interface Expected {
  readonly counts: Readonly<Record<string, bigint>>
  readonly samples: Readonly<Record<string, readonly ExactRecord[]>>
}

const expected = readExact<Expected>(readFileSync(join(smallNetwork, 'expected.json'), 'utf8'))
const operations = ledgerOperations(networkIn(smallNetwork))
const each = operations.map((operation) => [operation.path, operation] as const)
const filtered = operations.flatMap((operation) =>
  Object.keys(operation.filters).map((filter) => [operation.path, filter, operation] as const),
)
const pairs = operations.flatMap((operation) => {
  const names = Object.keys(operation.filters)
  return names.flatMap((first, index) =>
    names.slice(index + 1).map((second) => [operation.path, first, second, operation] as const),
  )
})

/** A third of the cases; all of them in the slow tier. */
const sampled = <T>(cases: readonly T[]) => cases.filter((_, place) => place % scaled(3, 1) === 0)

const operationAt = (path: string) => operations.find((operation) => operation.path === path) as ListOperation

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer(await smallLake())
})

/** Every list on pages of the most records, walked once for all who look at it. */
const walked = new Map<ListOperation, ReturnType<typeof walkList>>()
function walkOnce(operation: ListOperation): ReturnType<typeof walkList> {
  const records = walked.get(operation) ?? walkList(server, operation, MOST_PER_PAGE)
  walked.set(operation, records)
  return records
}

describe('every list', () => {
  it.each(each)('%s has all written records in order, on pages of any size', async (_, operation) => {
    const bySmallPages = await walkList(server, operation, scaled(71, 17))
    for (const records of [bySmallPages, await walkOnce(operation)]) {
      expect(BigInt(records.length)).toBe(expected.counts[operation.table])
      expect(bringsIds(operation) ? records : records.map(withoutId)).toEqual(operation.records)
    }
  })

  it.each(each)('%s gives each record a unique id, imported or of version 8', async (_, operation) => {
    const ids = (await walkOnce(operation)).map(({ id }) => String(id))
    expect(new Set(ids).size).toBe(operation.records.length)
    const version = bringsIds(operation) ? '[\\da-f]' : '8'
    const form = new RegExp(`^[\\da-f]{8}-[\\da-f]{4}-${version}[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}$`)
    expect(some(ids).filter((id) => !form.test(id))).toEqual([])
  })
})

describe('integers=string', () => {
  /** Integers of at most 32 bits, which stay numbers. */
  const small = ['elevation', 'gain', 'bump_seed', 'collection_bump_seed', 'num_location_asserts', 'azimuth']
  const smallMembers = new Set([...small, 'mechanical_down_tilt', 'electrical_down_tilt'])

  const asText = (value: Exact, name = ''): Exact => {
    if (typeof value === 'bigint') return smallMembers.has(name) ? value : String(value)
    if (value === null || typeof value !== 'object' || value instanceof Fraction) return value
    if (Array.isArray(value)) return value.map((item: Exact) => asText(item))
    return Object.fromEntries(
      Object.entries(value).map(([own, member]) => [own, asText(member as Exact, own)]),
    )
  }

  it.each(sampled(each))(
    'writes every 64-bit integer of %s as a string, inside objects too',
    async (_, operation) => {
      const records = await walkList(server, operation, MOST_PER_PAGE, { integers: 'string' })
      const own = bringsIds(operation) ? records : records.map(withoutId)
      expect(own).toEqual(operation.records.map((record) => asText(record)))
    },
  )

  it('writes every 64-bit integer of a lookup as a string', async () => {
    const [record] = operationAt('/l1/transactions').records
    const { text } = await server.get(`/l1/transactions/${record?.transaction_hash}?integers=string`)
    expect(withoutId(readExact<ExactRecord>(text))).toEqual(asText(record as ExactRecord))
  })
})

describe('the samples', () => {
  /** Names of the archive that the interface has others for. */
  const names: Readonly<Record<string, string>> = {
    hash: 'transaction_hash',
    actor: 'actor_address',
    owner: 'owner_address',
    payer: 'payer_address',
    gateway: 'gateway_address',
    account: 'account_address',
  }
  const valueIn = (name: string, value: Exact): Exact => {
    if (name === 'fields' || name === 'witnesses') return readExact<ExactRecord>(String(value))
    if (name === 'first_timestamp') return String(value).replace(' ', 'T').replace('+00', 'Z')
    return value
  }
  const tables = operations.filter(({ table }) => expected.samples[table] !== undefined)

  it.each(tables.map((operation) => [operation.table, operation] as const))(
    'of %s are records of their list',
    async (table, operation) => {
      const samples = (expected.samples[table] ?? []).map((sample) =>
        Object.fromEntries(
          Object.entries(sample).map(([name, value]) => [names[name] ?? name, valueIn(name, value)]),
        ),
      )
      const records = (await walkOnce(operation)).map(withoutId)
      expect(samples).toHaveLength(3)
      for (const sample of samples) expect(records).toContainEqual(sample)
    },
  )
})

describe('a filter', () => {
  it.each(sampled(filtered))(
    'of %s alone finds the rows of a plain loop: %s',
    async (_, filter, operation) => {
      const values = valuesByCount(operation, filter).map(([value]) => value)
      const [often = '', second = ''] = values
      const once = values.at(-1) ?? ''
      expect(await compareEnds(server, operation, { [filter]: often })).toBeGreaterThan(0)
      expect(await compareEnds(server, operation, { [filter]: once })).toBeGreaterThan(0)
      await compareEnds(server, operation, { [filter]: second })
      const found = await compareEnds(server, operation, { [filter]: nobodysValue(filter) })
      if (!['networks', 'type', 'actor_role', 'mode'].includes(filter)) expect(found).toBe(0)
      for (const blank of scaled(['\t  '], ['', ' ', '\t  '])) {
        expect(await compareEnds(server, operation, { [filter]: blank })).toBe(operation.records.length)
      }
    },
  )

  it.each(
    filtered
      // Names of hotspots are found as people type them.
      .filter(([path, filter]) => path !== '/l2/hotspots' || filter !== 'name')
      .filter(
        ([, filter]) =>
          !/^(block|from|to|networks|type|actor_role|mode|maker_id|location_hex|.*_location)$/.test(filter),
      )
      .filter((_, place) => place % scaled(5, 1) === 0),
  )('of %s is exact and case-sensitive: %s', async (_, filter, operation) => {
    const [value = ''] = valuesByCount(operation, filter)[0] ?? []
    for (const other of [
      value.toUpperCase(),
      ` ${value}`,
      `${value} `,
      value.slice(0, -1),
      `${value}%`,
      '%',
      '_',
    ]) {
      if (other !== value) expect(await compareEnds(server, operation, { [filter]: other })).toBe(0)
    }
  })

  it.each(pairs.filter((_, place) => place % scaled(24, 1) === 0))(
    'of %s together with another finds the rows of a plain loop: %s and %s',
    async (_, first, second, operation) => {
      let found = 0
      for (const query of pairsOf(operation, first, second)) {
        if ((await compareEnds(server, operation, query)) > 0) found += 1
      }
      expect(found).toBeGreaterThan(0)
    },
  )

  it('together with all others finds the record that has all the values', async () => {
    for (const operation of operations.filter(({ filters }) => Object.keys(filters).length > 1)) {
      for (const record of spread(operation.records, 5)) {
        const values = Object.keys(operation.filters).flatMap((filter) => {
          const value = filterText(filter, record)
          return value === null ? [] : [[filter, value]]
        })
        expect(await compareEnds(server, operation, Object.fromEntries(values))).toBeGreaterThan(0)
      }
    }
  })
})

describe('times', () => {
  const timed = operations.filter(({ filters }) => filters.from !== undefined)
  const asked = timed.slice(0, scaled(1, timed.length))

  it.each(asked.map((operation) => [operation.path, operation] as const))(
    'of %s may have one end, fractions, dates and offsets',
    async (_, operation) => {
      const times = operation.records.map(({ time }) => Number(time)).sort((a, b) => a - b)
      const second = times[Math.floor(times.length / 2)] ?? 0
      const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19)
      const here = iso(second)
      const east = `${iso(second + 7200)}+02:00`
      const west = `${iso(second - 12_600)}-03:30`
      const forms = [here, `${here}Z`, `${here}.000000000000Z`, `${here}.5Z`, `${here}.000000000001Z`]
      const before = [`${iso(second - 1)}.999999999999Z`, iso(second - 1), east, west, here.slice(0, 10)]
      const far = ['0001-01-01', '9999-12-31', '1970-01-01', '1969-12-31T23:59:59.5Z']
      for (const text of sampled([...forms, ...before, ...far])) {
        await compareEnds(server, operation, { from: text })
        await compareEnds(server, operation, { to: text })
      }
      const both = async (from: string, to: string) => compareEnds(server, operation, { from, to })
      const atSecond = times.filter((time) => time === second).length
      expect(await both(here, `${here}.000000000001Z`)).toBe(atSecond)
      expect(await both(`${iso(second - 1)}.9999999Z`, here)).toBe(atSecond)
      expect(await both(`${here}.0000001Z`, `${here}.9Z`)).toBe(0)
      expect(await both('1969-12-31', '1970-01-01')).toBe(0)
    },
  )
})

describe('a name', () => {
  it('of a gateway in another letter case returns an empty list, and is reported as unknown', async () => {
    const [name = ''] = valuesByCount(operationAt('/l1/gateways'), 'name')[0] ?? []
    const unknownOf = async (text: string) => {
      const { headers } = await server.get(`/l1/gateways?name=${encodeURIComponent(text)}`)
      return headers['ledgerlake-unknown']
    }
    expect(await unknownOf(name)).toBeUndefined()
    expect(await unknownOf(name.toUpperCase())).toBe('name=1')
    const [onL2 = ''] = valuesByCount(operationAt('/l2/hotspots'), 'name')[0] ?? []
    expect(await unknownOf(onL2)).toBe('name=1')
  })
})

describe('a cell', () => {
  const hotspots = operationAt('/l2/hotspots')

  it('in hexadecimal digits is found in capital letters, with a prefix, and as a decimal integer', async () => {
    const [cell = ''] = valuesByCount(operationAt('/l1/gateways'), 'location_hex')[0] ?? []
    const lists = []
    for (const text of [cell, cell.toUpperCase(), `0x${cell}`, `0${cell}`, String(BigInt(`0x${cell}`))])
      lists.push((await server.get(`/l1/gateways?location_hex=${text}`)).text)
    expect(lists[0]).toContain(`"location_hex":"${cell}"`)
    expect(new Set(lists).size).toBe(1)
  })

  it.each(['iot', 'mobile'])('of any resolution finds the %s hotspots inside it', async (network) => {
    const filter = `${network}_location`
    for (const record of spread(
      hotspots.records.filter((own) => filterText(filter, own) !== null),
      scaled(1, 3),
    )) {
      const location = BigInt(filterText(filter, record) ?? 0)
      expect(resolutionOf(location)).toBe(12)
      for (let resolution = 0; resolution <= 12; resolution += scaled(4, 1)) {
        const query = { [filter]: String(ancestorOf(location, resolution)) }
        expect(await compareEnds(server, hotspots, query)).toBeGreaterThan(0)
      }
      // The first child of a cell has the digit 0 where the cell has a 7.
      const child = (location & ~(15n << 52n) & ~(7n << 6n)) | (13n << 52n)
      const grandchild = (child & ~(15n << 52n) & ~(7n << 3n)) | (14n << 52n)
      for (const finer of [child, grandchild, (grandchild & ~(15n << 52n) & ~7n) | (15n << 52n)]) {
        expect(await compareEnds(server, hotspots, { [filter]: String(finer) })).toBeGreaterThan(0)
      }
    }
  })
})

describe('networks and makers', () => {
  const hotspots = operationAt('/l2/hotspots')
  const count = (query: Query) => compareEnds(server, hotspots, query)

  it.each(['iot', 'mobile', 'iot,mobile', 'mobile,iot', 'iot,iot'])(
    'networks=%s finds the hotspots on any of them',
    async (networks) => {
      await count({ networks })
    },
  )

  it('maker_id matches an id in any letter case, and nothing else', async () => {
    const [id = '', found = 0] = valuesByCount(hotspots, 'maker_id')[0] ?? []
    const { records } = await askPage(server, hotspots, { maker_id: id.toUpperCase(), per_page: '100' })
    expect(records).toEqual(expectedRecords(hotspots, { maker_id: id }))
    expect(records).toHaveLength(found)
    const maker = operationAt('/l2/makers').records.find((record) => record.id === id)
    for (const value of [String(maker?.address), String(maker?.name), id.slice(0, -1), `{${id}}`]) {
      expect(await count({ maker_id: value })).toBe(0)
    }
  })
})
