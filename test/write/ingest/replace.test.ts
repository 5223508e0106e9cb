import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { lakeStatus } from '../../../src/lake/snapshot/status.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { dayEnd, dayStart, frameFile, len, message, num } from '../../support/messages/oracle-messages.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const day = 86_400
const share = (amount: bigint, daysLater = 0) =>
  message(num(1, dayStart + daysLater * day), num(2, dayEnd + daysLater * day), len(4, num(1, amount)))
const unknownReward = message(num(1, dayStart), num(2, dayEnd), len(12, num(1, 5)))
const a = 'iot_reward_share.1738371600001.gz'
const b = 'iot_reward_share.1738371600002.gz'

async function newLake() {
  const folder = await temporaryFolder()
  const [input, lake] = [join(folder, 'in'), join(folder, 'lake')]
  mkdirSync(input)
  const give = (name: string, ...messages: Buffer[]) => writeFileSync(join(input, name), frameFile(messages))
  const take = (replace: boolean) => ingestInto(lake, [input], { replace })
  const table = async () => (await new Lake(lake).latest()).table(iotRewardShares)
  const amounts = async () => {
    const everything = { from: 0n, to: 2n ** 62n }
    const { statistics } = await table()
    return { rows: statistics.count(everything), amount: statistics.sums(everything, ['amount']).amount }
  }
  return { lake, give, take, table, amounts }
}

it('a file with other bytes replaces the stored one in one commit, and other files remain', async () => {
  const { give, take, table, amounts } = await newLake()
  give(a, share(1n), share(2n), share(4n, 1))
  give(b, share(100n))
  await take(false)
  expect(await amounts()).toEqual({ rows: 4, amount: 107n })

  give(a, share(2n ** 64n - 1n))
  expect((await take(false)).failed).toHaveLength(1)
  expect(await amounts()).toEqual({ rows: 4, amount: 107n })

  expect(await take(true)).toMatchObject({ stored: 1, skipped: 1, failed: [] })
  expect(await amounts()).toEqual({ rows: 2, amount: 2n ** 64n - 1n + 100n })
  expect((await table()).version).toBe(1)
  expect([...(await table()).sources.keys()].sort()).toEqual([
    `iot_reward_share/${a}`,
    `iot_reward_share/${b}`,
  ])
})

it('an older version still has the rows that were replaced', async () => {
  const { lake, give, take } = await newLake()
  give(a, share(7n))
  await take(false)
  const { id } = await new Lake(lake).latest()
  give(a, share(8n))
  await take(true)
  const old = await new Lake(lake).at(id)
  expect(old?.table(iotRewardShares).statistics.sums({ from: 0n, to: 2n ** 62n }, ['amount'])).toEqual({
    amount: 7n,
  })
})

it('replacing counts the refused messages of the new bytes, not of the old', async () => {
  const { lake, give, take } = await newLake()
  const refused = async () =>
    lakeStatus(await new Lake(lake).latest()).tables.map(({ table, rows, refused: count }) => [
      table,
      rows,
      count,
    ])
  give(a, share(1n), unknownReward, unknownReward)
  await take(false)
  expect(await refused()).toEqual([
    ['iot_reward_shares', 1, 2],
    ['rejects', 2, 0],
  ])
  give(a, unknownReward, share(1n))
  await take(true)
  expect(await refused()).toEqual([
    ['iot_reward_shares', 1, 1],
    ['rejects', 1, 0],
  ])
  give(a, share(1n))
  await take(true)
  expect(await refused()).toEqual([
    ['iot_reward_shares', 1, 0],
    ['rejects', 0, 0],
  ])
})

it('a replacement with the same bytes changes nothing', async () => {
  const { give, take, table } = await newLake()
  give(a, share(1n))
  await take(false)
  expect(await take(true)).toMatchObject({ stored: 0, skipped: 1 })
  expect((await table()).version).toBe(0)
})
