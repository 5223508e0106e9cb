import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  all,
  b,
  countsOf,
  type DecodedRow,
  day,
  inFebruary,
  key,
  makeNetwork,
  olderLake,
  queries,
  type RetryNetwork,
  retry,
  sharesOf,
  versions,
} from '../../support/lakes/retry-network.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { liveRows, readAnswers } from '../../support/read-answers.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { type LoggedFile, readEntries } from '../../support/tables/delta-table.ts'
import { factsOf } from '../../support/tables/file-facts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

let network: RetryNetwork
beforeAll(async () => {
  network = await makeNetwork()
})

const someRefused: readonly [string, (row: DecodedRow) => boolean][] = [
  ['all of a month, which then has no file', inFebruary],
  ['every row but one in the middle', (row) => !key(3)(row)],
  ['everything', () => true],
  ['the last row of every group', key(-1)],
  ['a whole variant', (row) => row.reward_type === 'operational_reward'],
]
const moreRefused: typeof someRefused = [
  ['the first row of every group', key(0)],
  ['a row in the middle of every group', key(3)],
  ['variants at the beginning and end', (row) => row.reward_type !== 'operational_reward'],
  ['one group', (row) => row.reward_type === 'gateway_reward' && day(1)(row)],
  ['all but one month', (row) => !inFebruary(row)],
  ['some of both months', (row) => key(1)(row) || key(5)(row)],
]

describe('after a retry of rejects an older lake has row by row the content of a new one', () => {
  it.each(scaled(someRefused.slice(0, 1), [...someRefused, ...moreRefused]))('%s', async (_what, refuses) => {
    const { lake, refused } = await olderLake(refuses, [network.input])
    const before = versions(lake)
    expect(await retry(lake)).toMatchObject({ rejects: refused, taken: refused, refused: 0 })
    const [iot = 0, mobile = 0, rejects] = before
    expect(versions(lake)).toEqual([iot + 1, expect.any(Number), rejects])
    expect(versions(lake)[1]).toBeLessThanOrEqual(mobile + 1)
    await network.expectFresh(lake)
  })
})

describe('a retry', () => {
  it('is served by a server that had summed offloaded bytes before', async () => {
    const { lake } = await olderLake(key(2), [network.input])
    const server = await buildTestServer(lake, 100)
    const totals = `/l2/mobile-reward-shares/totals?${new URLSearchParams(all)}`
    const before = (await server.get(totals)).text
    expect(before).toMatch(/offloaded_bytes":[1-9]/)
    await retry(lake)
    await expect.poll(async () => (await server.get(totals)).text).not.toBe(before)
    expect(await readAnswers(server, queries)).toEqual(network.answers)
  })

  it('finds nothing and commits nothing the second time', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, b), frameFile([1, 2, 3].map((amount) => operational(amount))))
    const { lake, refused } = await olderLake((row) => row.amount !== 2n, [join(folder, b)])
    expect(await retry(lake)).toMatchObject({ taken: refused })
    const [after, rows] = [versions(lake), await liveRows(lake)]
    expect(Object.values(rows).flat()).toHaveLength(3)
    expect(await retry(lake)).toMatchObject({ rejects: 0, taken: 0, refused: 0 })
    expect([versions(lake), await liveRows(lake)]).toEqual([after, rows])
  })

  it('of some kinds keeps the rejects of other kinds', async () => {
    const { lake } = await olderLake(key(0), [network.input])
    await retry(lake, { kinds: ['iot_reward_share'] })
    const { iot_reward_shares: iot, mobile_reward_shares: mobile } = await countsOf(lake)
    expect([iot?.refused, mobile?.refused]).toEqual([0, sharesOf(0).mobile])
  })

  it('records the ordinals of its messages as runs, in the entry that has their rows', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, b), frameFile([1, 2, 3, 4, 5, 6].map((amount) => operational(amount))))
    const { lake } = await olderLake((row) => row.amount !== 4n, [join(folder, b)])
    await retry(lake)
    const entry = readEntries(join(lake, 'iot_reward_shares')).at(-1)
    const adds = entry?.actions.flatMap((action) => (action.add === undefined ? [] : [action.add])) ?? []
    const table = join(lake, 'iot_reward_shares')
    const { sources } = factsOf(table, adds[0] as unknown as LoggedFile)
    expect(entry?.actions.filter((action) => 'remove' in action)).toHaveLength(1)
    expect(sources).toMatchObject([{ rows: 6, refused: 5, retried: '0-2,4-5' }])
  })

  it('of a folder without a lake fails with a sentence and creates nothing', async () => {
    const folder = join(await temporaryFolder(), 'nothing')
    await expect(retry(folder)).rejects.toMatchObject({ code: 'not_ready' })
    expect(existsSync(folder)).toBe(false)
  })
})
