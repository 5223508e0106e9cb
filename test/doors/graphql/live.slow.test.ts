import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { writeOracleFiles } from '../../support/lakes/make-lake.ts'
import { networkFiles, type SeenShare, sharesAt, versionsOf } from '../../support/live/network.ts'
import { askGraphql, connectionOf } from '../../support/servers/ask-graphql.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Three commits each. */
const FILES = 17

interface Node {
  readonly rewardType: string
  readonly rewardManifest: object | null
  readonly rewardDetail: Readonly<Record<string, string | null>>
}

const both = `{
  iot: iotRewardShares { nodes { rewardType rewardManifest { id } rewardDetail {
    ... on IotGatewayRewardDetail { beaconAmount } ... on IotOperationalRewardDetail { amount } } } }
  mobile: mobileRewardShares { nodes { rewardType rewardManifest { id } rewardDetail {
    ... on MobileGatewayRewardDetail { dcTransferReward offloadedBytes } } } }
}`

function seenShare({ rewardType, rewardManifest, rewardDetail }: Node): SeenShare {
  const { beaconAmount, amount, dcTransferReward, offloadedBytes } = rewardDetail
  return {
    type: rewardType,
    amount: BigInt(beaconAmount ?? amount ?? dcTransferReward ?? -1),
    bytes: offloadedBytes === undefined || offloadedBytes === null ? null : BigInt(offloadedBytes),
    hasManifest: rewardManifest !== null,
  }
}

it('during commits a query sees one snapshot, and a walk by cursors neither misses nor repeats a row', async () => {
  const folder = await temporaryFolder()
  const [lake, begin, input] = [join(folder, 'lake'), join(folder, 'begin'), join(folder, 'input')]
  await writeOracleFiles(begin, networkFiles(0, 5))
  await writeOracleFiles(input, networkFiles(6, 5 + FILES))
  // One file a commit, as the expected values assume.
  await ingestInto(lake, [begin], { commitRows: 1 })
  const server = await buildTestServer(lake, 10)
  let isWriting = true
  const writing = ingestInto(lake, [input], { commitRows: 1 }).finally(() => {
    isWriting = false
  })
  const seen = new Set<string>()

  async function askBoth(): Promise<void> {
    while (isWriting) {
      const reply = await askGraphql(server.server, both)
      const snapshot = String(reply.headers['ledgerlake-snapshot'])
      seen.add(snapshot)
      for (const table of ['iot', 'mobile'] as const) {
        const { nodes } = connectionOf<Node>(reply, table)
        expect(nodes.map(seenShare), `${table} at ${snapshot}`).toEqual(sharesAt(table, versionsOf(snapshot)))
      }
    }
  }

  async function walk(): Promise<void> {
    while (isWriting) {
      const amounts: string[] = []
      let known: readonly SeenShare[] | undefined
      for (let after = ''; ; ) {
        const reply = await askGraphql(
          server.server,
          `{ iotRewardShares(first: 3, after: "${after}", rewardType: "gateway_reward") {
            nodes { beaconAmount } pageInfo { hasNextPage endCursor } } }`,
        )
        const { nodes, pageInfo } = connectionOf<{ beaconAmount: string }>(reply, 'iotRewardShares')
        known ??= sharesAt('iot', versionsOf(String(reply.headers['ledgerlake-snapshot'])))
        amounts.push(...nodes.map((node) => node.beaconAmount))
        if (!pageInfo.hasNextPage) break
        after = pageInfo.endCursor ?? ''
      }
      expect(new Set(amounts).size).toBe(amounts.length)
      const begun = known.filter(({ type }) => type === 'gateway_reward').map(({ amount }) => String(amount))
      expect(amounts.filter((amount) => begun.includes(amount))).toEqual(begun)
    }
  }

  await Promise.all([writing, askBoth(), askBoth(), walk()])
  expect(seen.size).toBeGreaterThan(FILES)
})
