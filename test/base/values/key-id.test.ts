import { expect, it } from 'vitest'
import { keyId, keysOfId } from '../../../src/base/values/key-id.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'

const UUID_8 = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

it.each([
  // The first characters are those of an alphabet of 64: 1 is number 2, 4 number 5, E number 15, so 000010 000101 001111.
  ['14Ei6vpwe3XzNbrfYNrezqFpUavLTuANgqinDCTo2YUXjHzW27j', '0853ee1f-bd7c-8a84-a2fd-89f7ae3637a8'],
  ['-', '00000000-0000-8000-8000-000000000000'],
  ['zzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-8fff-bfff-fffffffffffc'],
])('the id of the key %s is %s', (key, id) => {
  expect(keyId(key)).toBe(id)
  expect(id).toMatch(UUID_8)
})

it('an id finds its own key and no other', () => {
  const random = openRandom(deriveSeed('keys'))
  const letters = '-0AZ_az~ +{'
  const draw = () =>
    Array.from({ length: random.below(24) }, () => letters.charAt(random.below(letters.length))).join('')
  const bytes = (text: string) => Buffer.from(text)
  for (let round = 0; round < 5000; round += 1) {
    const [key, other] = [draw(), draw()]
    const order = Buffer.compare(bytes(key), bytes(other))
    if (order < 0) expect(keyId(key) <= keyId(other), `${key} ${other}`).toBe(true)
    const keys = keysOfId(keyId(key))
    const isFromOn = Buffer.compare(bytes(other), bytes(keys?.first ?? '')) >= 0
    const isBefore = keys?.end === undefined || Buffer.compare(bytes(other), bytes(keys.end)) < 0
    expect(isFromOn && isBefore, `${key} ${other}`).toBe(keyId(key) === keyId(other))
  }
})

it.each([
  'ffffffff-ffff-8fff-bfff-ffffffffffff',
  '489d2a16-784f-4708-8315-2338cf9252fd',
  '00000000-0000-8000-0000-000000000000',
  'FFFFFFFF-FFFF-8FFF-BFFF-FFFFFFFFFFFC',
  '',
])('%j is the id of no key', (id) => {
  expect(keysOfId(id)).toBeUndefined()
})
