import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { craftArtifact, oneDay } from '../../support/messages/craft-artifacts.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const list = '/l2/iot-reward-shares?from=2025-01-01&to=2025-02-01'
const query = `{ iotRewardShares(startPeriod: "2025-01-01", endPeriod: "2025-02-01", first: 10) { nodes { id amount } } }`

let lake = ''
let older = ''
let server: TestServer

/** A server that has not looked for commits since the files of January were merged and the old ones removed at once. */
beforeEach(async () => {
  const home = await temporaryFolder()
  const input = join(home, 'in')
  lake = join(home, 'lake')
  mkdirSync(input)
  for (let file = 0; file < 3; file += 1)
    craftArtifact(input, 'iot_reward_share', 1_738_110_600_000 + file, [
      { ...oneDay, reward_type: 'operational_reward', amount: 10n ** BigInt(file) },
    ])
  await ingestInto(lake, [input], { commitRows: 1 })
  older = (await new Lake(lake).latest()).id
  server = await buildTestServer(lake)
  expect((await server.get(`${list}&as_of=${older}`)).status).toBe(200)
})

async function mergeAndVacuum(): Promise<string> {
  await compact({ lake, months: ['2025-01'], openWriter: openTestWriter })
  expect(await vacuum({ lake, keepHours: 0, isDryRun: false })).toMatchObject([{ paths: { length: 3 } }])
  return (await new Lake(lake).latest()).id
}

describe('a request whose files were vacuumed after the server loaded its snapshot', () => {
  it('is answered from the newest snapshot', async () => {
    const newest = await mergeAndVacuum()
    const { status, text, headers } = await server.get(list)
    expect([status, headers['ledgerlake-snapshot']]).toEqual([200, newest])
    expect(
      JSON.parse(text).records.map((record: { reward_detail: object }) => record.reward_detail),
    ).toMatchObject([{ amount: 1 }, { amount: 10 }, { amount: 100 }])
  })

  it('is answered from the newest snapshot over GraphQL too', async () => {
    const newest = await mergeAndVacuum()
    const { text, headers } = await askGraphql(server.server, query)
    expect(headers['ledgerlake-snapshot']).toBe(newest)
    expect(JSON.parse(text).data.iotRewardShares.nodes).toMatchObject([
      { amount: '1' },
      { amount: '10' },
      { amount: '100' },
    ])
  })

  it('returns 410 if it names the snapshot', async () => {
    const newest = await mergeAndVacuum()
    const { status, text } = await server.get(`${list}&page=1&per_page=2&as_of=${older}`)
    expect([status, JSON.parse(text).error]).toEqual([
      410,
      `as_of is "${older}"; its files were vacuumed; use a newer snapshot, such as ${newest}.`,
    ])
    const asked = await askGraphql(server.server, query, {}, `/graphql?as_of=${older}`)
    expect(asked.text).toContain('its files were vacuumed')
  })
})
