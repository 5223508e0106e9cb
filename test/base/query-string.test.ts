import { parse } from 'node:querystring'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQueryString } from '../../src/base/query-string.ts'

const parsed = (text: string) => Object.entries(parse(text, '&', '=', { maxKeys: 0 }))

test('any text is read as node:querystring reads it', () => {
  const part = fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%2', '%20', '%c3%a9', '%ff', '%zz', '__proto__', 'constructor'),
    fc.string({ maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      expect(Object.entries(readQueryString(text))).toEqual(parsed(text))
    }),
    { numRuns: 2000 },
  )
})

test('any text can be the name of a parameter', () => {
  expect(Object.entries(readQueryString('__proto__=a&constructor=b&toString=c&__proto__=d'))).toEqual([
    ['__proto__', ['a', 'd']],
    ['constructor', 'b'],
    ['toString', 'c'],
  ])
})

test('a name that is not given is undefined', () => {
  expect(readQueryString('from=a').toString).toBeUndefined()
})
