import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { backgroundFailures, logBackgroundErrorsTo } from '../../../src/base/background.ts'
import { noteErrorsOf } from '../../../src/base/processes/parent-link.ts'

const task = 'talking to the parent process'

it('an error of the channel to the parent is logged and counted, unless the parent has ended', () => {
  const logged: unknown[] = []
  logBackgroundErrorsTo((error) => logged.push(error))
  const channel = new EventEmitter()
  noteErrorsOf(channel)
  const before = backgroundFailures().get(task) ?? 0
  for (const code of ['EPIPE', 'ECONNRESET', 'ERR_IPC_CHANNEL_CLOSED', 'ERR_IPC_DISCONNECTED'])
    channel.emit('error', Object.assign(new Error('write'), { code }))
  expect([backgroundFailures().get(task) ?? 0, logged]).toEqual([before, []])
  channel.emit('error', Object.assign(new Error('the channel is full'), { code: 'ENOBUFS' }))
  channel.emit('error', new TypeError('no message'))
  expect(backgroundFailures().get(task)).toBe(before + 2)
  expect(logged.map(String)).toEqual([
    `Error: ${task}: the channel is full`,
    expect.stringContaining('no message'),
  ])
})
