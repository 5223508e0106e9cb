import { expect, it } from 'vitest'
import { keyOfFragment } from '../../src/explorer/values/key-of-fragment.ts'

const key = `ll_0123456789ab_${'0f'.repeat(32)}`

it.each([
  [`#key=${key}`, key],
  [`#key=${key} `, key],
  ['#key=', ''],
  ['', undefined],
  ['#each-hotspot', undefined],
  [`#a-key=${key}`, undefined],
])('the fragment %j brings the key %j', (fragment, expected) => {
  expect(keyOfFragment(fragment)).toBe(expected)
})
