import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExact } from '../support/exact-json.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { writeOracleFiles } from '../support/lakes/make-lake.ts'
import { type Door, expectPage, expectTotals, type Get, restDoor } from '../support/live/doors.ts'
import { networkFiles, type SeenShare, sharesAt, type Table, versionsOf } from '../support/live/network.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { query, sharingOf } from '../support/servers/sharing.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait.ts'

/** What callers are promised whose requests go now to one server of a lake, now to another, one of which is slow to look. */

const COMMITS = 4
const tables = ['iot', 'mobile'] as const

let lake = ''
/** Sees commits at once. */
let quick: TestServer
/** Looks for commits once a minute, so it sees none during the test unless it is asked for one. */
let slow: TestServer

async function commit(file: number): Promise<void> {
  const input = join(lake, '..', `input-${file}`)
  await writeOracleFiles(input, networkFiles(file, file))
  await ingestInto(lake, [input])
}

beforeAll(async () => {
  lake = join(await temporaryFolder(), 'lake')
  await commit(0)
  quick = await buildTestServer(lake, 100, undefined, sharingOf(lake))
  slow = await buildTestServer(lake, 60_000, undefined, sharingOf(lake))
  for (let file = 1; file <= COMMITS; file += 1) await commit(file)
  await waitFor(async () => expect(await seenBy(quick)).toBe(COMMITS))
})

async function seenBy({ get }: TestServer): Promise<number> {
  const { headers } = await get('/l2/iot-reward-shares/totals?from=2024-12-01&to=2025-02-01')
  return versionsOf(String(headers['ledgerlake-snapshot'])).iot
}

/** Requests in turns to both servers, beginning with the quick one. */
function inTurns(): Door {
  let turn = 0
  const get: Get = async (path) => {
    const { status, text, headers } = await ([quick, slow][turn % 2] as TestServer).get(path)
    turn += 1
    return { status, text, snapshot: String(headers['ledgerlake-snapshot']) }
  }
  return restDoor(get)
}

async function walk(table: Table): Promise<{ snapshot: string; shares: readonly SeenShare[] }> {
  const door = inTurns()
  const { snapshot, pages, shares } = await door.page(table, 1)
  const walked = [...shares]
  for (let page = 2; page <= pages; page += 1) {
    const next = await door.page(table, page, snapshot)
    expectPage(table, page, next)
    walked.push(...next.shares)
  }
  expect(pages, 'pages from either server').toBe(Math.ceil(walked.length / 8))
  return { snapshot, shares: walked }
}

describe('a client of two servers with different newest commits', () => {
  it.each(tables)(
    'gets one list of %s from both, if it names the snapshot of the first page',
    async (table) => {
      const { snapshot, shares } = await walk(table)
      expect(versionsOf(snapshot)[table]).toBe(COMMITS)
      expect(shares).toEqual(sharesAt(table, versionsOf(snapshot)))
      // Otherwise the other server would have looked by itself.
      expect(await seenBy(slow)).toBe(0)
    },
  )

  it.each(tables)(
    'gets the totals of %s that belong to a snapshot, and may get older ones without naming it',
    async (table) => {
      const door = inTurns()
      const first = await door.totals(table)
      const pinned = await door.totals(table, first.snapshot)
      expect(pinned).toEqual(first)
      expectTotals(table, pinned)
      await door.totals(table)
      const older = await door.totals(table)
      expect(versionsOf(older.snapshot)[table]).toBe(0)
      expectTotals(table, older)
    },
  )

  it('gets 304 from either server for the ETag of the other', async () => {
    const path = '/l2/iot-reward-shares/totals?from=2024-12-01&to=2025-02-01'
    const { headers, text } = await quick.get(path)
    const url = `/v1/net${path}&as_of=${headers['ledgerlake-snapshot']}`
    const tag = String(headers.etag)
    const unchanged = await slow.server.inject({ url, headers: { 'if-none-match': tag } })
    expect([unchanged.statusCode, unchanged.headers.etag]).toEqual([304, tag])
    expect((await slow.server.inject(url)).body).toBe(text)
    const own = await slow.server.inject({ url: `/v1/net${path}`, headers: { 'if-none-match': tag } })
    expect([own.statusCode, own.headers.etag === tag]).toEqual([200, false])
  })

  it('continues with a cursor of one server on the other', async () => {
    const amounts: bigint[] = []
    let [snapshot, after, turn] = ['', '', 0]
    do {
      const { server } = turn % 2 === 0 ? quick : slow
      const cursor = after === '' ? '' : `, after: "${after}"`
      const text = `{ list: iotRewardShares(first: 3${cursor}) { nodes { beaconAmount amount } pageInfo { hasNextPage endCursor } } }`
      const url = `/graphql${snapshot === '' ? '' : `?as_of=${snapshot}`}`
      const reply = await server.inject({ method: 'POST', url, payload: { query: text } })
      snapshot = String(reply.headers['ledgerlake-snapshot'])
      const { list } = readExact<{ data: { list: Connection } }>(reply.body).data
      for (const { beaconAmount, amount } of list.nodes) amounts.push(BigInt(beaconAmount ?? amount ?? -1))
      after = list.pageInfo.hasNextPage ? String(list.pageInfo.endCursor) : ''
      turn += 1
    } while (after !== '')
    expect(turn).toBeGreaterThan(2)
    expect(amounts).toEqual(sharesAt('iot', versionsOf(snapshot)).map(({ amount }) => amount))
  })

  it('gets from one server the version of a shared table that the other has reported', async () => {
    const table = 'iot_reward_shares'
    const told = await query(quick.server, table)
    const version = Number(told.headers['delta-table-version'])
    expect(version).toBe(COMMITS)
    const same = await query(slow.server, table, { version })
    expect([same.status, same.headers['delta-table-version']]).toEqual([200, String(version)])
    expect(same.files.map(({ id }) => id)).toEqual(told.files.map(({ id }) => id))
    expect(same.files.length).toBeGreaterThan(COMMITS)
    const later = await query(slow.server, table, { version: version + 1 })
    expect([later.status, JSON.parse(later.text).message]).toEqual([
      400,
      `version is "${version + 1}"; ${table} has version 0.`,
    ])
  })
})

interface Connection {
  readonly nodes: readonly { readonly beaconAmount: string | null; readonly amount: string | null }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}
