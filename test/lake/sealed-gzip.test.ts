import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { isSealed, sealed } from '../../src/lake/log/sealed-gzip.ts'

const text = '{"a":"abcabcabcabc"}\n'.repeat(20)

it('any flipped bit of a sealed file is found, and gunzip gives the same as without the seal', () => {
  const gzip = gzipSync(text)
  const file = sealed(gzip)
  expect(gunzipSync(file).toString()).toBe(text)
  expect([isSealed(file), isSealed(gzip), isSealed(Buffer.alloc(0))]).toEqual([true, false, false])
  let silent = 0
  for (let bit = 0; bit < 8 * file.length; bit += 1) {
    const flipped = Buffer.from(file)
    flipped[bit >>> 3] = (flipped[bit >>> 3] ?? 0) ^ (1 << (bit & 7))
    expect(isSealed(flipped)).toBe(false)
    silent += unpacks(flipped) ? 1 : 0
  }
  // Of these gzip says nothing.
  expect(silent).toBeGreaterThan(50)
})

function unpacks(file: Buffer): boolean {
  try {
    return gunzipSync(file).toString() === text
  } catch {
    return false
  }
}
