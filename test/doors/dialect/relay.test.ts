import { describe, expect, it } from 'vitest'
import { type ErrorCode, ServiceError } from '../../../src/base/errors.ts'
import { specifiedDialect } from '../../../src/doors/dialect/dialect.ts'
import { relay } from '../../../src/doors/dialect/relay.ts'

/** Dates, errors and keys as the hosted service has them, and as the specification and its decisions have them. */

const sentence = 'One sentence.'

describe('a date', () => {
  it.each([
    [1_782_864_000_000_000n, '2026-07-01 00:00:00 UTC', '2026-07-01T00:00:00Z'],
    [1_782_864_000_123_000n, '2026-07-01 00:00:00 UTC', '2026-07-01T00:00:00.123Z'],
    [0n, '1970-01-01 00:00:00 UTC', '1970-01-01T00:00:00Z'],
    [-1n, '1969-12-31 23:59:59 UTC', '1969-12-31T23:59:59.999999Z'],
  ])('of %i microseconds is %s, whole seconds alone; as specified %s', (micros, hosted, plain) => {
    expect(relay.spelling.instant(micros)).toBe(hosted)
    expect(specifiedDialect.spelling.instant(micros)).toBe(plain)
  })
})

describe('an error', () => {
  it.each([
    ['authentication_required', 401, 401],
    ['usage_limit_exceeded', 402, 402],
    ['feature_not_available', 401, 403],
    ['rate_limit_exceeded', 429, 429],
    ['gone', 410, 410],
    ['malformed_request', 422, 422],
    ['method_not_allowed', 405, 405],
    ['internal', 500, 500],
    ['overloaded', 503, 503],
    ['not_ready', 503, 503],
    ['lake_damaged', 503, 503],
    ['deadline_exceeded', 504, 504],
  ] as const satisfies readonly (readonly [ErrorCode, number, number])[])(
    '%s is %i with a code and a message; as specified %i with an error and a code',
    (code, hosted, plain) => {
      const error = new ServiceError(code, sentence)
      expect(relay.errorOf(error)).toEqual({ status: hosted, body: { code, message: sentence } })
      expect(specifiedDialect.errorOf(error)).toEqual({ status: plain, body: { error: sentence, code } })
    },
  )
})

describe('the key in an Authorization header', () => {
  it.each([
    ['Bearer K', 'K', 'K'],
    ['bearer   K', 'K', 'K'],
    ['Token K', 'K', undefined],
    ['K', 'K', undefined],
    ['Bearer a b K', 'K', undefined],
    [' Bearer K ', 'K', undefined],
    ['Bearer\tK', 'K', undefined],
    ['Bearer', 'Bearer', undefined],
    ['', undefined, undefined],
    ['  ', undefined, undefined],
  ])('%j is %j; as specified %j', (header, hosted, plain) => {
    expect(relay.keyIn(header)).toBe(hosted)
    expect(specifiedDialect.keyIn(header)).toBe(plain)
  })
})
