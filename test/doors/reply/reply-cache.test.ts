import { expect, it } from 'vitest'
import type { Unknown } from '../../../src/answers/rows/unknown.ts'
import { openReplyCache } from '../../../src/doors/reply/reply-cache.ts'

const text = (body: string) => ({ type: 'text/plain', body })
const sentReply = { tag: 'a', route: '/', headers: [], bodyTag: 'a' }

it('what was not used for longest goes first, whether it was kept by its tag or by its request', () => {
  const cache = openReplyCache(64 * 1024)
  cache.keep('oldest', text('x'.repeat(3000)))
  cache.keepSent('/used', sentReply)
  cache.keep('used', text('x'.repeat(3000)))
  for (let number = 0; number < 15; number += 1) {
    cache.keep(`${number}`, text('x'.repeat(2900)))
    expect([cache.sent('/used'), cache.known('used')?.body.length]).toEqual([sentReply, 3000])
  }
  expect(cache.known('oldest')).toBeUndefined()
  expect(cache.known('14')?.body).toHaveLength(2900)
})

it('nothing larger than a sixteenth is kept', () => {
  const cache = openReplyCache(64 * 1024)
  cache.keep('large', text('x'.repeat(5000)))
  cache.keep('other', text('x'))
  expect(['large', 'other'].map((tag) => cache.known(tag)?.body)).toEqual([undefined, 'x'])
})

it('without memory nothing is kept', () => {
  const cache = openReplyCache(0)
  cache.keep('a', text(''))
  cache.keepSent('/', sentReply)
  expect([cache.known('a'), cache.sent('/')]).toEqual([undefined, undefined])
})

it('what lacks what could not be told is not kept', async () => {
  const cache = openReplyCache(64 * 1024)
  const { signal } = new AbortController()
  const find = (unknown: Unknown) => async () => ({ ...text('x'), unknown })
  await cache.found('untold', signal, find({ owner: null }))
  await cache.found('told', signal, find({ owner: ['x'] }))
  expect(['untold', 'told'].map((tag) => cache.known(tag)?.body)).toEqual([undefined, 'x'])
})
