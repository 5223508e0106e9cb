import { expect, it } from 'vitest'
import type { Unknown } from '../../../src/answers/unknown/unknown.ts'
import { openReplyCache } from '../../../src/doors/reply/reply-cache.ts'

const text = (body: string) => ({ type: 'text/plain', body })
const sentReply = { tag: 'a', route: '/', headers: [], bodyTag: 'a' }

it('the least recently used response is evicted first, whether it was found by tag or by request', () => {
  const cache = openReplyCache(64 * 1024)
  cache.set('oldest', text('x'.repeat(3000)))
  cache.setSent('/used', sentReply)
  cache.set('used', text('x'.repeat(3000)))
  for (let number = 0; number < 15; number += 1) {
    cache.set(`${number}`, text('x'.repeat(2900)))
    expect([cache.getSent('/used'), cache.get('used')?.body.length]).toEqual([sentReply, 3000])
  }
  expect(cache.get('oldest')).toBeUndefined()
  expect(cache.get('14')?.body).toHaveLength(2900)
})

it('a response larger than a sixteenth of the cache is not stored', () => {
  const cache = openReplyCache(64 * 1024)
  cache.set('large', text('x'.repeat(5000)))
  cache.set('other', text('x'))
  expect(['large', 'other'].map((tag) => cache.get(tag)?.body)).toEqual([undefined, 'x'])
})

it('a cache of 0 bytes stores nothing', () => {
  const cache = openReplyCache(0)
  cache.set('a', text(''))
  cache.setSent('/', sentReply)
  expect([cache.get('a'), cache.getSent('/')]).toEqual([undefined, undefined])
})

it('a response with unchecked unknown values is not stored', async () => {
  const cache = openReplyCache(64 * 1024)
  const { signal } = new AbortController()
  const find = (unknown: Unknown) => async () => ({ ...text('x'), unknown })
  await cache.compute('untold', signal, find({ owner: null }))
  await cache.compute('told', signal, find({ owner: ['x'] }))
  expect(['untold', 'told'].map((tag) => cache.get(tag)?.body)).toEqual([undefined, 'x'])
})
