import { expect, it } from 'vitest'
import { ListedObject } from '../../../src/doors/contract/listed-object.ts'

const listed = (count: number, after?: { readonly [name: string]: string }) =>
  new ListedObject({
    before: { meta: { limit: 10n } },
    name: 'records',
    count,
    itemAt: (place) => ({ place: BigInt(place) }),
    after,
  })

it('an object with a list is written in pieces, the other members before and behind it', () => {
  expect([...listed(2, { coverage: 'all' }).pieces(false)].join('')).toBe(
    '{"meta":{"limit":10},"records":[{"place":0},{"place":1}],"coverage":"all"}',
  )
  expect(listed(1).text(true)).toBe('{"meta":{"limit":"10"},"records":[{"place":"0"}]}')
  expect(listed(0).text(false)).toBe('{"meta":{"limit":10},"records":[]}')
})

it('a list of 20,000 items is written in several pieces without a gap', () => {
  const pieces = [...listed(20_000).pieces(false)]
  expect(pieces.length).toBeGreaterThan(4)
  const records = Array.from({ length: 20_000 }, (_, place) => `{"place":${place}}`)
  expect(pieces.join('')).toBe(`{"meta":{"limit":10},"records":[${records.join(',')}]}`)
})

it('items are made only for the range that is read', () => {
  const made: number[] = []
  const object = new ListedObject({
    ...{ before: { meta: null }, name: 'records', count: 1000 },
    itemAt(place) {
      made.push(place)
      return place
    },
  })
  expect(object.items(998, 1100)).toEqual([998, 999])
  expect(object.outerMembers).toEqual({ meta: null })
  expect(made).toEqual([998, 999])
})
