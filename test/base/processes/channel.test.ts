import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { type Handlers, openChannel, type Port } from '../../../src/base/processes/channel.ts'

/** Two ends of a pipe; messages are copied as JSON. */
function pipe(): readonly [Port, Port] {
  const [one, other] = [new EventEmitter(), new EventEmitter()]
  const end = (own: EventEmitter, far: EventEmitter): Port => ({
    on: (event, listener) => own.on(event, listener),
    send(message, sent) {
      const copy = JSON.parse(JSON.stringify(message))
      setImmediate(() => far.emit('message', copy))
      sent(null)
    },
  })
  return [end(one, other), end(other, one)]
}

function channels(handlers: Handlers, otherHandlers: Handlers = {}) {
  const [here, there] = pipe()
  return [openChannel(here, otherHandlers), openChannel(there, handlers)] as const
}

it('both ends of a channel send requests and answer several at once', async () => {
  const [one, other] = channels({ double: (value) => Number(value) * 2 }, { name: async () => 'one' })
  expect(
    await Promise.all([one.request('double', 2), one.request('double', 3), other.request('name')]),
  ).toEqual([4, 6, 'one'])
})

it('a failing handler rejects the request with its message, and a request without a handler resolves to undefined', async () => {
  const [one] = channels({
    fails() {
      throw new Error('There is no lake.')
    },
  })
  await expect(one.request('fails')).rejects.toThrow('There is no lake.')
  expect(await one.request('unknown')).toBeUndefined()
})

it('an open request rejects when the other process ends', async () => {
  const [one] = channels({ never: () => new Promise(() => {}) })
  const asked = one.request('never')
  one.close()
  await expect(asked).rejects.toThrow('the other process has ended')
  const gone = openChannel({ on: () => {}, send: (_, sent) => sent(new Error('channel closed')) }, {})
  await expect(gone.request('anything')).rejects.toThrow('channel closed')
})

it('a channel ignores messages that are not its own', async () => {
  const [here, there] = pipe()
  const channel = openChannel(here, {})
  openChannel(there, { two: () => 2 })
  for (const message of [{ cmd: 'NODE_CLUSTER' }, { replyTo: 99 }]) there.send(message, () => {})
  expect(await channel.request('two')).toBe(2)
})
