import { describe, expect, it } from 'vitest'
import { subnetOf } from '../../../src/doors/gate/client.ts'
import { RecentWork } from '../../../src/doors/gate/recent-work.ts'

const cheap = { kind: 'page', ms: 2 }
const costly = { kind: 'search', ms: 500 }

describe('the expected work of a request', () => {
  it('is the cheapest recent work of the same client and route', () => {
    const recent = new RecentWork(() => 0)
    recent.note('a', 'GET /shares', costly)
    recent.note('a', 'GET /shares', cheap)
    recent.note('a', 'GET /shares', costly)
    recent.note('b', 'GET /shares', costly)
    expect(recent.expect('a', 'GET /shares')).toBe(cheap)
    expect(recent.expect('b', 'GET /shares')).toBe(costly)
    expect(recent.expect('a', 'GET /makers')).toBeUndefined()
    expect(recent.expect('c', 'GET /shares')).toBeUndefined()
  })

  it('expires after a second; a cheaper request restarts the second', () => {
    let now = 0
    const recent = new RecentWork(() => now)
    recent.note('a', '/', costly)
    now = 999
    recent.note('a', '/', cheap)
    recent.note('a', '/', costly)
    now = 1998
    expect(recent.expect('a', '/')).toBe(cheap)
    now = 1999
    expect(recent.expect('a', '/')).toBeUndefined()
    recent.note('a', '/', costly)
    expect(recent.expect('a', '/')).toBe(costly)
  })

  it('is undefined for one request in 64, which is then planned', () => {
    const recent = new RecentWork(() => 0)
    recent.note('a', '/', costly)
    const expected = Array.from({ length: 128 }, () => recent.expect('a', '/'))
    expect(expected.map((work) => work === undefined)).toEqual(
      Array.from({ length: 128 }, (_, index) => index % 64 === 63),
    )
  })
})

describe('recent work', () => {
  it('is kept for 4,096 pairs of client and route', () => {
    const recent = new RecentWork(() => 0)
    for (let caller = 0; caller < 4096; caller += 1) recent.note(String(caller), '/', costly)
    expect(recent.expect('0', '/')).toBe(costly)
    recent.note('one more', '/', costly)
    expect(recent.expect('0', '/')).toBeUndefined()
    expect(recent.expect('one more', '/')).toBe(costly)
  })
})

describe('the network of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2'],
    ['2001:db8:1::9', '2001:db8:1:0'],
    ['2001:db8::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('of the address %s is %s', (address, network) => {
    expect(subnetOf(address)).toBe(network)
  })
})
