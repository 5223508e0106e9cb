import type { FastifyInstance } from 'fastify'
import { HTML_TYPE, send } from '../reply/representation.ts'
import { ANY_BASE, type GuidePages } from './pages.ts'

/** Serves /guide, its pages and pictures without a key; `base` precedes addresses. They are read with the first request. */
export function addGuide(
  server: FastifyInstance,
  base: string,
  readGuide: () => Promise<GuidePages | undefined>,
): void {
  let guide: ReturnType<typeof read> | undefined

  async function read() {
    const { policy = '', pages = [], pictures = [] } = (await readGuide()) ?? {}
    const bodies = pictures.map(([name, base64]) => [name, Buffer.from(base64, 'base64')] as const)
    return { policy, pages: new Map(pages), pictures: new Map(bodies) }
  }

  for (const path of ['/guide', '/guide/*']) {
    server.get<{ Params: { readonly '*'?: string } }>(path, async (request, reply) => {
      guide ??= read()
      const { policy, pages, pictures } = await guide
      const name = request.params['*'] ?? ''
      const picture = pictures.get(name)
      if (picture !== undefined) return send(reply, { type: 'image/png', body: picture })
      const body = pages.get(name)?.replaceAll(ANY_BASE, () => base)
      if (body === undefined) return reply.callNotFound()
      return send(reply.header('Content-Security-Policy', policy), { type: HTML_TYPE, body })
    })
  }
}
