import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { aroundRows } from '../support/around-rows.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { askWhileWriting, checkedTotals, expectLastCommit } from '../support/live/ask-while-writing.ts'
import { expectPage, type Get, restDoor } from '../support/live/doors.ts'
import { growingLake } from '../support/live/growing-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { scaled } from '../support/tier.ts'
import { waitFor } from '../support/wait.ts'

const COMMITS = scaled(2, 15)
const REQUESTS = scaled(10, 20) * COMMITS

const getFrom =
  (server: TestServer): Get =>
  async (path) => {
    const { status, text, headers } = await server.get(path)
    return { status, text, snapshot: String(headers['ledgerlake-snapshot']) }
  }

describe('while commits go into each table and requests are answered', () => {
  it('every response belongs to one snapshot, pages of a named one partition its list, and nothing fails', async () => {
    const growing = await growingLake(COMMITS)
    const server = await buildTestServer(growing.lake, 20)
    const doors = [restDoor(getFrom(server))]
    const seen = await askWhileWriting(growing, doors, REQUESTS)
    // A server that did not follow would pass all else.
    expect(seen.size).toBeGreaterThan(1)
    for (const door of doors) await expectLastCommit(door, COMMITS)
  })
})

it('a request in flight keeps its snapshot during a commit', async () => {
  const { lake, input } = await growingLake(1)
  let waiting = 0
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const holdingShares = (engine: Engine) =>
    aroundRows(engine, async (plan, _, next) => {
      if (plan.resource.name === 'iot_reward_shares') {
        waiting += 1
        await gate
      }
      return await next()
    })
  const server = await buildTestServer(lake, 100, holdingShares)
  const door = restDoor(getFrom(server))
  const held = door.page('iot', 1)
  await waitFor(() => expect(waiting).toBe(1))
  await ingestInto(lake, [input])
  await waitFor(async () => expect((await checkedTotals(door, 'iot')).snapshot).toMatch(/^dma1idp1ooc1-/))
  open()
  const answer = await held
  expect(answer.snapshot).toMatch(/^dma0idp0ooc0-/)
  expectPage('iot', 1, answer)
})
