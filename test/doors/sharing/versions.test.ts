import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { iotReward, type MadeLake, makeLake } from '../../support/lakes/make-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { pathOf, query, rowsOf, sharingOf, sumOf, tables } from '../../support/servers/sharing.ts'

const table = 'iot_reward_shares'
const file = (place: number, amount: bigint) => ({
  [`iot/iot_reward_share.${1_738_110_600_000 + place}.gz`]: [
    iotReward('2025-01-29', place, { beacon_amount: amount }),
  ],
})

let made: MadeLake
let server: Awaited<ReturnType<typeof buildTestServer>>['server']

beforeAll(async () => {
  made = await makeLake(file(0, 1n))
  server = (await buildTestServer(made.folder, 100, undefined, sharingOf(made.folder))).server
})

const versionNow = async () =>
  Number((await server.inject(`${tables}/${table}/version`)).headers['delta-table-version'])

async function until(version: number): Promise<void> {
  while ((await versionNow()) !== version) await setTimeout(10)
}

const sumAt = async (body: object) => {
  const { headers, files, lines } = await query(server, table, body)
  const sum = sumOf(await rowsOf(server, files), 'beacon_amount')
  return {
    version: headers['delta-table-version'],
    sum,
    files,
    metaData: JSON.parse(String(lines[1])).metaData,
  }
}

describe('after commits', () => {
  it('the newest version is served, and older ones by their number or by an instant', async () => {
    await until(0)
    await setTimeout(5)
    await made.add(file(1, 10n))
    await until(1)
    await setTimeout(5)
    await made.add(file(2, 100n))
    await until(2)
    expect(await sumAt({})).toMatchObject({ version: '2', sum: 111n })
    const times: number[] = []
    for (const [version, sum] of [1n, 11n, 111n].entries()) {
      const at = await sumAt({ version })
      expect(at).toMatchObject({
        version: String(version),
        sum,
        metaData: { version, numFiles: version + 1 },
      })
      for (const own of at.files) expect(own).toMatchObject({ version, timestamp: expect.any(Number) })
      times.push(Number(at.files[0]?.timestamp))
    }
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const instant = (ms: number) => new Date(ms).toISOString()
    const [first = 0, second = 0, third = 0] = times
    expect(await sumAt({ timestamp: instant(second) })).toMatchObject({ version: '1', sum: 11n })
    expect(await sumAt({ timestamp: instant(second - 1) })).toMatchObject({ version: '0', sum: 1n })
    expect(await sumAt({ timestamp: instant(Date.now() - 1) })).toMatchObject({ version: '2', sum: 111n })
    const from = async (ms: number) =>
      (await server.inject(`${tables}/${table}/version?startingTimestamp=${instant(ms)}`)).headers[
        'delta-table-version'
      ]
    expect(await Promise.all([from(0), from(first + 1), from(second), from(third)])).toEqual([
      '0',
      '1',
      '1',
      '2',
    ])
    expect(await from(third + 1)).toBeUndefined()
    const { headers, body } = await server.inject(`${tables}/${table}/metadata?version=0`)
    expect([
      headers['delta-table-version'],
      JSON.parse(String(body.split('\n')[1])).metaData.version,
    ]).toEqual(['0', 0])
  })

  it('versions whose files were vacuumed return an error that says so, and so do addresses of such files', async () => {
    const other = await makeLake({ ...file(0, 1n) })
    await other.add(file(1, 10n))
    const old = await buildTestServer(other.folder, 100, undefined, sharingOf(other.folder))
    const { files } = await query(old.server, table, { version: 0 })
    await compact({ lake: other.folder, months: ['2025-01'], openWriter: openTestWriter })
    await vacuum({ lake: other.folder, keepHours: 0, isDryRun: false })
    expect((await new Lake(other.folder).latest()).tables[0]?.files).toHaveLength(1)
    let gone = await query(old.server, table, { version: 0 })
    while (gone.status === 200) {
      await setTimeout(50)
      gone = await query(old.server, table, { version: 0 })
    }
    expect([gone.status, JSON.parse(gone.text)]).toEqual([
      404,
      {
        errorCode: 'RESOURCE_DOES_NOT_EXIST',
        message: `The files of version 0 of ${table} were vacuumed; ask for a newer one.`,
      },
    ])
    const [{ url } = { url: '' }] = files
    const name = /month=2025-01\/part-[^?]*/.exec(url)?.[0]
    const reply = await old.server.inject(pathOf(url))
    expect([reply.statusCode, reply.json().message]).toEqual([
      404,
      `${name} of ${table} was vacuumed. Query the table again.`,
    ])
  })
})
