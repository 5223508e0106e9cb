import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askWhileWriting, expectLastCommit } from '../support/live/ask-while-writing.ts'
import { type Get, restDoor } from '../support/live/doors.ts'
import { growingLake } from '../support/live/growing-lake.ts'
import { startServing } from '../support/servers/run-program.ts'

const COMMITS = 20
const REQUESTS = 20 * COMMITS

const getOver =
  (address: string): Get =>
  async (path) => {
    const reply = await fetch(`${address}/v1/net${path}`)
    return {
      status: reply.status,
      text: await reply.text(),
      snapshot: reply.headers.get('ledgerlake-snapshot') ?? '',
    }
  }

it('the program serves each commit, and every response belongs to one snapshot', async () => {
  const growing = await growingLake(COMMITS)
  const flags = ['--lake', growing.lake, '--port', '0']
  const { address } = await startServing(flags, { cwd: join(growing.lake, '..') })
  const doors = [restDoor(getOver(address))]
  const seen = await askWhileWriting(growing, doors, REQUESTS)
  expect(seen.size).toBeGreaterThan(1)
  for (const door of doors) await expectLastCommit(door, COMMITS)
})
