import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isPassingError } from '../../../src/operate/object-store/passing-faults.ts'
import { retryingStore } from '../../../src/operate/object-store/retrying-store.ts'
import { openWritableS3Store } from '../../../src/operate/object-store/s3/s3-writable-store.ts'
import { awsEnvironment, openTestBucket } from '../../support/sync/bucket-server.ts'

beforeEach(() => {
  for (const [name, value] of Object.entries(awsEnvironment)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

/** How often each request is sent to a store that answers all alike, by who sends it three times at most. */
async function timesSent(fault: readonly [number, string]): Promise<readonly number[]> {
  const bucket = await openTestBucket({ isRequesterPays: false })
  const options = { bucket: bucket.bucket, endpoint: bucket.endpoint, isRequesterPays: false }
  const store = retryingStore(openWritableS3Store(options), { attempts: 3, firstWaitMs: 1 })
  bucket.faults = () => fault
  const requests = [
    () => store.list({ prefix: '' }),
    () => store.get('key'),
    () => store.read({ key: 'key', bytes: 1 }, 0),
    () => store.put('key', Buffer.from('text')),
    () => store.create('key', Buffer.from('text')),
  ]
  const sent: number[] = []
  for (const request of requests) {
    const before = bucket.requests.length
    await request().catch(() => {})
    sent.push(bucket.requests.length - before)
  }
  store.close()
  return sent
}

describe('a request to a store', () => {
  it.each([
    ...[[408, 'RequestTimeout'] as const, [429, 'TooManyRequests'] as const, [500, 'InternalError'] as const],
    ...[[502, 'BadGateway'] as const, [503, 'SlowDown'] as const, [504, 'GatewayTimeout'] as const],
    ...[[400, 'RequestTimeout'] as const, [409, 'ConditionalRequestConflict'] as const],
  ])('that gets %i %s is retried', async (...fault) => {
    expect(await timesSent(fault)).toEqual([3, 3, 3, 3, 3])
  })

  it.each([
    ...[[400, 'InvalidRequest'] as const, [403, 'AccessDenied'] as const, [404, 'NoSuchBucket'] as const],
    ...[
      [405, 'MethodNotAllowed'] as const,
      [409, 'BucketNotEmpty'] as const,
      [411, 'MissingLength'] as const,
    ],
    ...[[501, 'NotImplemented'] as const, [507, 'InsufficientStorage'] as const],
  ])('that gets %i %s is not retried, because the response would not change', async (...fault) => {
    expect(await timesSent(fault)).toEqual([1, 1, 1, 1, 1])
  })
})

it('a refused connection is retried, an untrusted certificate is not', () => {
  const failed = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) })
  expect(['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'ETIMEDOUT'].map(failed).every(isPassingError)).toBe(
    true,
  )
  const codes = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO']
  expect(codes.map(failed).some(isPassingError)).toBe(false)
})
