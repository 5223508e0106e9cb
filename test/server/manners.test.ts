import { expect, it, onTestFinished } from 'vitest'
import { buildTestServer } from '../support/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it.each(['POST', 'PUT', 'DELETE', 'PATCH'] as const)(
  '%s of an operation is refused with what is allowed',
  async (method) => {
    const server = await buildTestServer(await temporaryFolder())
    onTestFinished(server.close)
    const reply = await server.server.inject({ method, url: '/v1/net/l2/iot-reward-shares' })
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(JSON.parse(reply.body)).toEqual({
      error: `/v1/net/l2/iot-reward-shares is asked with GET or HEAD, not with ${method}.`,
      code: 'method_not_allowed',
    })
  },
)
