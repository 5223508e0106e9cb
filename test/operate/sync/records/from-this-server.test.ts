import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hotspots } from '../../../../src/catalog/l2/hotspots.ts'
import { makers } from '../../../../src/catalog/l2/makers.ts'
import { relay } from '../../../../src/doors/dialect/relay.ts'
import { syncRecords } from '../../../../src/operate/sync/records/sync-records.ts'
import { readExact } from '../../../support/exact-json.ts'
import { smallNetwork } from '../../../support/fixtures.ts'
import { ingestInto } from '../../../support/lakes/build-lake.ts'
import { hotspotRecord, versionIn, writeRecords } from '../../../support/messages/record-files.ts'
import { buildTestServer } from '../../../support/servers/build-test-server.ts'
import { gatedServer } from '../../../support/servers/gated-server.ts'
import { followed, recordsRequest, rowsIn } from '../../../support/sync/records-request.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

type Members = Readonly<Record<string, unknown>>

const l2 = join(smallNetwork, 'l2')
const fixture = (name: string) =>
  readFileSync(join(l2, `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => readExact<Members>(line))

const byKey = (key: string) => (a: Members, b: Members) => (String(a[key]) < String(b[key]) ? -1 : 1)
const listen = async (test: Awaited<ReturnType<typeof buildTestServer>>) =>
  await test.server.listen({ port: 0, host: '127.0.0.1' })

/** The members of the rows of a lake, in the order of a key. */
async function recordsIn(lake: string, name: string, key: string): Promise<readonly Members[]> {
  const found: Members[] = []
  for await (const rows of rowsIn(lake, name)) found.push(...rows)
  return found.sort(byKey(key))
}

/** What a hotspot of the fixture says, under the names of columns. */
function flat(hotspot: Members): Members {
  const { iot_info, mobile_info, maker, ...own } = hotspot
  const infos = Object.entries({ iot: iot_info, mobile: mobile_info }).flatMap(([network, info]) =>
    Object.entries((info ?? {}) as Members).map(([member, value]) => [`${network}_${member}`, value]),
  )
  return { ...own, maker_id: (maker as Members | null)?.id ?? null, ...Object.fromEntries(infos) }
}

const exact = (value: unknown) => (typeof value === 'number' ? BigInt(value) : value)

let source = ''
beforeAll(async () => {
  source = join(await temporaryFolder(), 'source')
  await ingestInto(source, [l2])
})

describe.each([
  ['as specified', undefined],
  ['as the hosted service is', relay],
])('the lists of a server that answers %s', (_, dialect) => {
  it('are stored with every digit of the fixtures, and a second run commits nothing', async () => {
    const server = await buildTestServer(source, 60_000, undefined, dialect && { dialect })
    const address = `${await listen(server)}/v1/${dialect === undefined ? 'net' : 'helium'}`
    const folder = await temporaryFolder()
    const both = [
      recordsRequest(address, folder, { resource: followed(makers.name) }),
      recordsRequest(address, folder, { resource: followed(hotspots.name) }),
    ] as const
    const { lake } = both[0]
    expect(await syncRecords(both[0])).toMatchObject({
      records: 6,
      changed: 6,
      pages: 1,
      certainty: 'snapshot',
    })
    expect(await syncRecords(both[1])).toMatchObject({
      ...{ records: 120, changed: 120, removed: 0, pages: 2, walks: 1, requests: 2, left: [], kept: null },
    })

    const wantedMakers = fixture('makers').sort(byKey('address'))
    const foundMakers = await recordsIn(lake, 'makers', 'address')
    expect(foundMakers).toHaveLength(wantedMakers.length)
    for (const [index, wanted] of wantedMakers.entries())
      for (const [member, value] of Object.entries(wanted))
        expect([member, exact(foundMakers[index]?.[member])]).toEqual([member, value])

    const wantedHotspots = fixture('hotspots').sort(byKey('asset_id'))
    const foundHotspots = await recordsIn(lake, 'hotspots', 'asset_id')
    expect(foundHotspots).toHaveLength(wantedHotspots.length)
    for (const [index, wanted] of wantedHotspots.entries())
      for (const [member, value] of Object.entries(flat(wanted)))
        expect([member, exact(foundHotspots[index]?.[member] ?? null)]).toEqual([member, value])

    const versions = [await versionIn(lake, makers), await versionIn(lake, hotspots)]
    for (const request of both)
      expect(await syncRecords(request)).toMatchObject({ requests: 1, walks: 0, changed: 0 })
    const forgetful = both.map((request) => ({
      ...request,
      folder: join(folder, `lost-${request.resource.name}`),
    }))
    for (const request of forgetful)
      expect(await syncRecords(request)).toMatchObject({ changed: 0, walks: 1 })
    expect([await versionIn(lake, makers), await versionIn(lake, hotspots)]).toEqual(versions)
  })
})

describe('a server of this program', () => {
  it('is read in one snapshot while it changes, and the next run merges only the changes', async () => {
    const folder = await temporaryFolder()
    const other = join(folder, 'source')
    await ingestInto(other, [l2])
    const server = await buildTestServer(other, 100)
    const address = `${await listen(server)}/v1/net`
    const changed = join(folder, 'hotspots-later.ndjson')
    writeRecords(changed, [hotspotRecord('aaa', { name: 'aaa-new' })])
    const request = recordsRequest(address, folder, {
      resource: followed(hotspots.name),
      // The pages of the list move once the first one is in.
      onProgress: ({ page }) => {
        if (page === 1) ingesting ??= ingestInto(other, [changed])
      },
      patience: { attempts: 3, firstWaitMs: 5 },
      ratePerMinute: 60,
    })
    let ingesting: Promise<unknown> | undefined
    expect(await syncRecords(request)).toMatchObject({ records: 120, changed: 120, certainty: 'snapshot' })
    await ingesting
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await syncRecords({ ...request, onProgress: () => {}, ratePerMinute: 60_000 })).toMatchObject({
      ...{ records: 121, changed: 1, removed: 0 },
    })
  })

  it('with keys requires LEDGERLAKE_SYNC_KEY, and names the reason of a refusal', async () => {
    const gated = await gatedServer(source)
    const address = `${await listen(gated.test)}/v1/net`
    const key = await gated.newKey()
    const spent = await gated.newKey({ quotaPer30Days: 1 })
    const folder = await temporaryFolder()
    const request = recordsRequest(address, folder, { resource: followed(hotspots.name) })
    await expect(syncRecords(request)).rejects.toThrow(
      /answers 401: it wants an API key; set LEDGERLAKE_SYNC_KEY/,
    )
    await expect(syncRecords({ ...request, key: `${key}x` })).rejects.toThrow(/401: it does not take the key/)
    await expect(syncRecords({ ...request, key: spent })).rejects.toThrow(
      /402: the key has used up its requests/,
    )
    // The page that the spent key brought is kept.
    expect(await syncRecords({ ...request, key })).toMatchObject({ records: 120, requests: 1 })
  })
})
