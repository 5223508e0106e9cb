import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { bringsIds, withoutId } from '../support/archive/ask.ts'
import { ledgerOperations, networkIn } from '../support/archive/operations.ts'
import type { ExactRecord } from '../support/archive/records.ts'
import { readExpected, smallNetwork } from '../support/fixtures.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { type RelayClient, RelayError, relayClient, relayDate } from '../support/servers/relay-client.ts'
import { startServing } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A client of the hosted service against the built program with `--compat relay`. */

const ledger = ledgerOperations(networkIn(smallNetwork)).map(
  (operation) => [operation.path, operation] as const,
)
const lookups = ledger.flatMap(([path, { lookup }]) =>
  lookup === undefined ? [] : [[path, lookup] as const],
)
const { queries } = readExpected()
const shareLists = { iot: '/l2/iot-reward-shares', mobile: '/l2/mobile-reward-shares' }

let client: RelayClient

beforeAll(async () => {
  const folder = await temporaryFolder()
  const around = { cwd: folder }
  await copySmallLake(join(around.cwd, 'lake'))
  const { address } = await startServing(['--lake', 'lake', '--port', '0', '--compat', 'relay'], around)
  client = relayClient(`${address}/v1`)
})

/** All records of a list; every page but the last has 50. */
async function walk(path: string, query: Readonly<Record<string, string>> = {}) {
  const pages: (readonly ExactRecord[])[] = []
  for await (const { total, records } of client.pages(path, query)) {
    pages.push(records)
    const left = total - BigInt((pages.length - 1) * 50)
    expect(BigInt(records.length)).toBe(left < 50n ? left : 50n)
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

  it('can parse the dates', async () => {
    const [share] = await walk(shareLists.iot, { from: '2025-01-29', to: '2025-01-30' })
    expect(relayDate(share?.end_period).toISOString()).toBe('2025-01-29T00:00:00.000Z')
  })

  it('reports invalid parameters', async () => {
    const asked = client.totals(shareLists.iot, { from: 'x' })
    const time = 'use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z'
    await expect(asked).rejects.toEqual(
      new RelayError(422, '', `from: from is "x"; ${time}; to: to is required; ${time}`),
    )
  })
})
