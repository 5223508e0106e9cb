import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startLoad } from '../../bench/support/load.ts'
import type { Asked } from '../../bench/support/load-process.ts'

// The generator is a process of its own, in TypeScript as the benches are.
beforeEach(() => void vi.stubEnv('NODE_OPTIONS', `--import ${import.meta.resolve('tsx')}`))
afterEach(() => void vi.unstubAllEnvs())

/** How many answers a load generator counts where this body comes and `right` has to. */
function ask(body: string, right = 'right'): Promise<number> {
  return askServer(
    createServer((_request, response) => response.end(body)),
    { body: right },
  )
}

async function askServer(server: Server, asked: Pick<Asked, 'json' | 'body'>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const load = startLoad()
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await load.prepare('one', address, [{ path: '/', status: 200, ...asked }])
    return (await load.run('one', 2, 20)).micros.length
  } finally {
    load.stop()
    server.closeAllConnections()
    server.close()
  }
}

it('the load generator counts right answers', async () => {
  expect(await ask('right')).toBeGreaterThan(1)
})

it('the load generator sends JSON by POST', async () => {
  const server = createServer(async (request, response) => {
    const sent = `${request.method} ${request.headers['content-type']} ${await text(request)}`
    response.end(sent)
  })
  expect(
    await askServer(server, { json: '{"a":"ü"}', body: 'POST application/json {"a":"ü"}' }),
  ).toBeGreaterThan(1)
})

it('the load generator counts responses that arrive in many pieces', async () => {
  const pages = 'a page of many kilobytes '.repeat(20_000)
  expect(await ask(pages, pages)).toBeGreaterThan(1)
})

it.each(['wrong', 'less', 'right and more', ''])(
  'the load generator refuses %j instead of another body',
  async (body) => {
    await expect(ask(body)).rejects.toThrow(`/: ${body} instead of right`)
  },
)
