import { expect, it, onTestFinished } from 'vitest'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { makeFolder } from '../../support/temporary-folder.ts'

it('an argument above the limit of nodes returns as many as the limit, and the response says so', async () => {
  const { folder, remove } = await makeFolder()
  onTestFinished(remove)
  await copySmallLake(folder)
  const { server, close } = await buildTestServer(folder)
  onTestFinished(close)
  const bodyOf = async (query: string) =>
    JSON.parse((await server.inject({ method: 'POST', url: '/graphql', payload: { query } })).body)
  const list = (call: string) =>
    `iotRewardShares(startPeriod: "2025-01-01", endPeriod: "2025-03-01", ${call}) { nodes { id } }`
  const both = await bodyOf(
    `{ status all: ${list('first: 1000')} ${list('last: 101')} few: ${list('first: 100')} }`,
  )
  const message = (argument: string, asked: number) =>
    `${argument} is ${asked}; one reply holds 100 nodes, and pageInfo says how to go on`
  expect(both.extensions).toEqual({
    capped: [
      { path: 'all', argument: 'first', asked: 1000, served: 100, message: message('first', 1000) },
      { path: 'iotRewardShares', argument: 'last', asked: 101, served: 100, message: message('last', 101) },
    ],
  })
  expect([both.data.all.nodes.length, both.data.iotRewardShares.nodes.length]).toEqual([100, 100])
  expect(await bodyOf(`{ ${list('first: 100')} }`)).not.toHaveProperty('extensions')
})
