import { expect, it } from 'vitest'
import { ageOf } from '../../bench/pages.ts'
import { changedSince, codeOf } from '../../bench/support/code.ts'

const now = codeOf('export')

it('a result of the present code has no sentence about its age', () => {
  expect(Object.keys(now)).toContain('answers')
  expect(ageOf({ bench: 'export', code: now })).toBe('')
})

it('a result names each folder of the code that has changed since', () => {
  const code = { ...now, answers: '0'.repeat(12), doors: '1'.repeat(12) }
  expect(ageOf({ bench: 'export', code })).toBe(
    '**Older than the code**: changed since in `answers`, `doors` of `src`.\n',
  )
})

it('a result without digests is older than all of its code', () => {
  expect(changedSince('export', undefined)).toEqual(Object.keys(now))
})
