import { describe, expect, it } from 'vitest'
import { networkOf } from '../../../src/doors/gate/caller.ts'
import { RefusedBefore } from '../../../src/doors/gate/refused-before.ts'

const cheap = { kind: 'page', ms: 2 }
const dear = { kind: 'search', ms: 500 }

describe('what may be refused without looking at it', () => {
  it('is told by the cheapest work of the same caller and route', () => {
    const before = new RefusedBefore(() => 0)
    before.note('a', 'GET /shares', dear)
    before.note('a', 'GET /shares', cheap)
    before.note('a', 'GET /shares', dear)
    before.note('b', 'GET /shares', dear)
    expect(before.expected('a', 'GET /shares')).toBe(cheap)
    expect(before.expected('b', 'GET /shares')).toBe(dear)
    expect(before.expected('a', 'GET /makers')).toBeUndefined()
    expect(before.expected('c', 'GET /shares')).toBeUndefined()
  })

  it('is forgotten after a second, which begins anew with each request that is cheaper', () => {
    let now = 0
    const before = new RefusedBefore(() => now)
    before.note('a', '/', dear)
    now = 999
    before.note('a', '/', cheap)
    before.note('a', '/', dear)
    now = 1998
    expect(before.expected('a', '/')).toBe(cheap)
    now = 1999
    expect(before.expected('a', '/')).toBeUndefined()
    before.note('a', '/', dear)
    expect(before.expected('a', '/')).toBe(dear)
  })

  it('leaves one request in 64 to be looked at, which may be cheaper', () => {
    const before = new RefusedBefore(() => 0)
    before.note('a', '/', dear)
    const expected = Array.from({ length: 128 }, () => before.expected('a', '/'))
    expect(expected.map((work) => work === undefined)).toEqual(
      Array.from({ length: 128 }, (_, index) => index % 64 === 63),
    )
  })
})

describe('what is remembered', () => {
  it('is of 4,096 callers and routes at most', () => {
    const before = new RefusedBefore(() => 0)
    for (let caller = 0; caller < 4096; caller += 1) before.note(String(caller), '/', dear)
    expect(before.expected('0', '/')).toBe(dear)
    before.note('one more', '/', dear)
    expect(before.expected('0', '/')).toBeUndefined()
    expect(before.expected('one more', '/')).toBe(dear)
  })
})

describe('who shares a turn', () => {
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
    expect(networkOf(address)).toBe(network)
  })
})
