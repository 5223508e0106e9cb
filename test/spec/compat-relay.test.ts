import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringsIds, withoutId } from '../support/archive/ask.ts'
import { ledgerOperations, networkIn } from '../support/archive/operations.ts'
import type { Exact, ExactRecord } from '../support/archive/records.ts'
import type { ExactRow, ExactValue } from '../support/delta-table.ts'
import { exactNumber } from '../support/exact-json.ts'
import { readExpected, smallNetwork } from '../support/fixtures.ts'
import { fixtureSources } from '../support/oracle-rows.ts'
import { type RelayClient, RelayError, relayClient, relayDate } from '../support/relay-client.ts'
import { killPrograms, startServing } from '../support/run-program.ts'
import { copySmallLake } from '../support/small-lake.ts'
import { makeFolder } from '../support/temporary-folder.ts'

/** A client of the hosted service against the built program with `--compat relay`. */

const ledger = ledgerOperations(networkIn(smallNetwork)).map(
  (operation) => [operation.path, operation] as const,
)
const lookups = ledger.flatMap(([path, { lookup }]) =>
  lookup === undefined ? [] : [[path, lookup] as const],
)
const { queries } = readExpected()
const shareLists = { iot: '/l2/iot-reward-shares', mobile: '/l2/mobile-reward-shares' }
const everything = { from: '2000-01-01', to: '2100-01-01' }

let client: RelayClient
let remove = async () => {}

beforeAll(async () => {
  const made = await makeFolder()
  remove = made.remove
  const around = { cwd: made.folder }
  await copySmallLake(join(around.cwd, 'lake'))
  const { address } = await startServing(['--lake', 'lake', '--port', '0', '--compat', 'relay'], around)
  client = relayClient(`${address}/v1`)
})
afterAll(async () => {
  await killPrograms()
  await remove()
})

/** All records of a list; every page but the last has as many as a page has there. */
async function walk(path: string, query: Readonly<Record<string, string>> = {}, perPage = 50) {
  const pages: (readonly ExactRecord[])[] = []
  for await (const { total, records } of client.pages(path, query)) {
    pages.push(records)
    const before = BigInt((pages.length - 1) * perPage)
    const left = total - before
    expect(BigInt(records.length)).toBe(left < BigInt(perPage) ? left : BigInt(perPage))
  }
  return pages.flat()
}

const isoToRelay = (text: string) => text.replace(/^(\S{10})T(\S{8})(\.\d+)?Z$/, '$1 $2 UTC')

describe('a client of the hosted service', () => {
  it.each(ledger)('reads all of %s, page by page', async (path, operation) => {
    const expected = operation.records.map((record) => {
      const { first_timestamp: first } = record
      return first === undefined ? record : { ...record, first_timestamp: isoToRelay(String(first)) }
    })
    const records = await walk(path)
    expect(bringsIds(operation) ? records : records.map(withoutId)).toEqual(expected)
  })

  it.each(lookups)('finds records of %s by their ids and keys', async (path, { keys, kind }) => {
    const [record = {}] = await walk(path)
    for (const name of ['id', ...keys]) expect(await client.find(path, String(record[name]))).toEqual(record)
    await expect(client.find(path, 'nobody')).rejects.toEqual(new RelayError(404, '', `${kind} not found`))
  })

  it.each(queries)('reads $count shares of $network $params, and their totals', async (query) => {
    const path = shareLists[query.network]
    expect(await walk(path, query.params)).toHaveLength(query.count)
    const totals = Object.entries(query.totals).map(([name, digits]) => [name, BigInt(digits)])
    expect(await client.totals(path, query.params)).toEqual(Object.fromEntries(totals))
  })

  it.each(['iot', 'mobile'] as const)('reads every share of %s as its file has it', async (network) => {
    const shares = await walk(shareLists[network], { ...everything, per_page: '100' }, 100)
    const expected = sharesIn(`${network}_reward_shares`)
    expect(shares).toHaveLength(expected.length)
    for (const [index, share] of shares.entries()) {
      expect(written(share)).toEqual(spelledAs(share, expected[index] as ExactRow))
    }
  })

  it('reads dates that are instants', async () => {
    const [share] = await walk(shareLists.iot, { from: '2025-01-29', to: '2025-01-30' })
    expect(relayDate(share?.end_period).toISOString()).toBe('2025-01-29T00:00:00.000Z')
  })

  it('raises what is wrong with parameters', async () => {
    const asked = client.totals(shareLists.iot, { from: 'x' })
    const time = 'an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z is accepted'
    await expect(asked).rejects.toEqual(
      new RelayError(422, '', `from: from is "x"; ${time}; to: to is required; ${time}`),
    )
  })
})

/** Rows of a table, read by hand from its files, in the order of the list. */
function sharesIn(table: string): readonly ExactRow[] {
  const rows = fixtureSources().flatMap((source) => (source.table === table ? source.rows : []))
  const place = (row: ExactRow) =>
    [row.end_period, row.reward_type, row.source_file, row.hotspot_key ?? '', row.ordinal].map((value) =>
      typeof value === 'bigint' ? String(value).padStart(20, '0') : String(value),
    )
  return rows
    .map((row) => [place(row).join('\0'), row] as const)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([, row]) => row)
}

/** A share without ids and what follows from its manifest. */
function written({ id, reward_detail, reward_manifest, ...others }: ExactRecord): ExactRecord {
  const detail = Object.entries(reward_detail as ExactRecord).filter(
    ([name]) => !name.startsWith('formatted_') && name !== 'offloaded_bytes',
  )
  return {
    ...others,
    reward_detail: Object.fromEntries(detail),
    reward_manifest: withoutId(reward_manifest as ExactRecord),
  }
}

/** The same from the row, with the members that the share has. */
function spelledAs(share: ExactRecord, row: ExactRow): ExactRecord {
  const members = Object.keys(written(share).reward_detail as ExactRecord)
  return {
    reward_type: row.reward_type as string,
    start_period: dateOf(row.start_period),
    end_period: dateOf(row.end_period),
    reward_detail: Object.fromEntries(members.map((name) => [name, exactOf(name, row[name] ?? null)])),
    reward_manifest: manifestOf(row.source_file as string),
  }
}

const decimals =
  /^(base|boosted)_(coverage_points_sum|reward_shares)$|^(location_trust_score|speedtest)_multiplier$/

function exactOf(name: string, value: ExactValue): Exact {
  if (value === null) return null
  if (name === 'seniority_timestamp') return dateOf(value)
  if (name === 'coverage_object') return Buffer.from(String(value), 'hex').toString('base64')
  return decimals.test(name) ? exactNumber(String(value)) : value
}

function dateOf(micros: ExactValue | undefined): string {
  const text = new Date(Number((micros as bigint) / 1000n)).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`
}

const texts: Readonly<Record<string, readonly string[]>> = {
  iot: ['poc_bones_per_beacon_reward_share', 'poc_bones_per_witness_reward_share'],
  mobile: [],
}
/** Integers of the specification; here their text, twice. */
const longTexts: Readonly<Record<string, readonly string[]>> = {
  iot: ['dc_bones_per_share'],
  mobile: ['poc_bones_per_reward_share', 'boosted_poc_bones_per_reward_share'],
}

function manifestOf(file: string): ExactRecord {
  const rows = fixtureManifests.filter((row) => (row.written_files as readonly string[]).includes(file))
  expect(rows).toHaveLength(1)
  const row = rows[0] as ExactRow
  const network = String(row.reward_type)
  const exact = (name: string) => row[`${name}_exact`] as string
  return {
    written_files: row.written_files as readonly string[],
    start_timestamp: dateOf(row.start_timestamp),
    end_timestamp: dateOf(row.end_timestamp),
    epoch: row.epoch as bigint,
    price: row.price as bigint,
    reward_type: network,
    reward_detail: {
      ...Object.fromEntries((texts[network] ?? []).map((name) => [name, exact(name)])),
      ...Object.fromEntries(
        (longTexts[network] ?? []).flatMap((name) => [
          [name, exact(name)],
          [`${name}_exact`, exact(name)],
        ]),
      ),
      ...(network === 'mobile' && { service_provider_promotions: promotionsIn(row) }),
      token: String(row.token).replace(/_main$/, '_hnt'),
    },
  }
}

const fixtureManifests = fixtureSources().flatMap(({ table, rows }) =>
  table === 'reward_manifests' ? rows : [],
)

/** The fixtures' promotions are few and their numbers small. */
function promotionsIn(row: ExactRow): Exact {
  return JSON.parse(String(row.service_provider_promotions), (_, value: unknown) =>
    typeof value === 'number' ? BigInt(value) : typeof value === 'string' ? isoToRelay(value) : value,
  ) as Exact
}
