import { expect, it, onTestFinished } from 'vitest'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { waitFor } from '../../support/wait.ts'

const query = '{ iotRewardShares(hotspotKey: "x") { nodes { id } } }'

it.each([
  [
    'POST',
    '/graphql',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) },
  ],
  ['GET', `/graphql?query=${encodeURIComponent(query)}`, {}],
] as const)('the search for a %s ends when its caller disconnects', async (_, path, request) => {
  const share = iotReward('2025-01-10', 1, {})
  const lake = await makeLake({ 'iot/iot_reward_share.1.gz': [share] })
  const searches: AbortSignal[] = []
  const { server, close } = await buildTestServer(lake.folder, 60_000, (engine) => ({
    ...engine,
    // A search that ends only when its caller disconnects.
    rows: (plan, at, signal) =>
      signal === undefined
        ? engine.rows(plan, at)
        : new Promise((_resolve, reject) => {
            searches.push(signal)
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
  }))
  onTestFinished(close)
  const address = await server.listen({ port: 0 })
  const caller = new AbortController()
  const asked = fetch(`${address}${path}`, { ...request, signal: caller.signal }).catch(() => 'gone')
  await waitFor(() => expect(searches).toHaveLength(1))
  expect(searches[0]?.aborted).toBe(false)
  caller.abort()
  expect(await asked).toBe('gone')
  await waitFor(() => expect(searches[0]?.aborted).toBe(true))
})
