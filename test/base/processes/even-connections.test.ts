import { closeSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import {
  balanceConnections,
  ConnectionCounts,
  openConnectionCounts,
} from '../../../src/base/processes/balance-connections.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function openCounts(): ConnectionCounts {
  const counts = openConnectionCounts()
  if (counts === undefined) throw new Error('no counts could be opened')
  // It is left open: connections are counted until their last moment.
  return counts
}

/** A server whose connections are counted, and how often it held itself up. */
async function listen(counts: ConnectionCounts, worker: number) {
  const server = createServer((socket) => socket.resume())
  const seen = { pauses: 0 }
  const even = balanceConnections(new ConnectionCounts(counts.descriptor), worker, () => (seen.pauses += 1))
  even.watch(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return { server, seen, even }
}

async function open(server: Server): Promise<Socket> {
  const accepted = new Promise((resolve) => server.once('connection', resolve))
  const socket = connect({ port: (server.address() as { port: number }).port, host: '127.0.0.1' })
  closers.push(() => socket.destroy())
  await accepted
  return socket
}

it('the least count of connections leaves out unregistered workers and may exceed 65,535', () => {
  const counts = openCounts()
  expect(counts.least()).toBe(Number.POSITIVE_INFINITY)
  counts.set(3, 5)
  counts.set(40, 2)
  expect(counts.least()).toBe(2)
  counts.set(40, 70_000)
  expect(counts.least()).toBe(5)
  counts.remove(3)
  expect(counts.least()).toBe(70_000)
})

it('a worker pauses accepting once it has two connections more than another worker', async () => {
  const counts = openCounts()
  const [first, second] = [await listen(counts, 1), await listen(counts, 2)]
  await open(first.server)
  expect(first.seen.pauses).toBe(0)
  const one = await open(first.server)
  expect(first.seen.pauses).toBe(1)
  await open(second.server)
  await open(second.server)
  expect(second.seen.pauses).toBe(0)
  one.destroy()
  await expect.poll(() => counts.least()).toBe(1)
  await open(first.server)
  expect(first.seen.pauses).toBe(1)
})

it('a worker does not pause for a worker that has left or was removed by the parent', async () => {
  const counts = openCounts()
  const [first, second] = [await listen(counts, 1), await listen(counts, 2)]
  await listen(counts, 3)
  second.even.leave()
  counts.remove(3)
  for (const _ of [1, 2, 3]) await open(first.server)
  expect(first.seen.pauses).toBe(0)
  await open(second.server)
  expect(counts.least()).toBe(3)
})

it('a worker accepts connections although the shared counts cannot be written', async () => {
  const counts = openCounts()
  const { server, seen } = await listen(counts, 1)
  await listen(counts, 2)
  closeSync(counts.descriptor)
  for (const _ of [1, 2, 3]) await open(server)
  expect(seen.pauses).toBe(0)
})
