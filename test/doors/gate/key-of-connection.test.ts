import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { revokeKey } from '../../../src/keys/key-file.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { addressOf } from '../../support/servers/mcp-client.ts'

const makers = '/v1/net/l2/makers'

it('each request of a connection is answered by its own key, and not at all once that is revoked', async () => {
  const { test, newKey, keyFile } = await gatedServer(await smallLake())
  const origin = await addressOf(test.server)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  cleanUp(() => agent.destroy())
  const ports = new Set<number | undefined>()
  const ask = async (key: string) => {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      get(
        `${origin}${makers}`,
        { agent, headers: key === '' ? {} : { authorization: `Bearer ${key}` } },
        resolve,
      ).on('error', reject)
    })
    ports.add(reply.socket.localPort)
    reply.resume()
    await new Promise((resolve) => reply.once('end', resolve))
    return [reply.statusCode, reply.headers['ratelimit-limit']]
  }
  const leaving = await newKey({ name: 'leaving', ratePerMinute: 100_000 })
  const staying = await newKey({ name: 'staying', ratePerMinute: 200_000 })
  for (const _ of [1, 2]) {
    expect(await ask(leaving)).toEqual([200, '100000'])
    expect(await ask(leaving)).toEqual([200, '100000'])
    expect(await ask(staying)).toEqual([200, '200000'])
    expect(await ask('')).toEqual([401, undefined])
    expect(await ask(leaving.slice(0, -1))).toEqual([401, undefined])
  }
  await ask(leaving)
  await revokeKey(keyFile, 'leaving', new Date())
  while ((await ask(leaving))[0] === 200) await setTimeout(5)
  expect(await ask(leaving)).toEqual([401, undefined])
  expect(await ask(staying)).toEqual([200, '200000'])
  expect(ports.size).toBe(1)
})
