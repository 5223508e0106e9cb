import type { FastifyInstance } from 'fastify'
import { HTML_TYPE, send } from '../reply/representation.ts'
import { ANY_BASE, type GuidePages } from './pages.ts'

/** Serves /guide and its pages without a key; `base` precedes addresses. Pages are read with the first request. */
export function addGuide(
  server: FastifyInstance,
  base: string,
  readGuide: () => Promise<GuidePages | undefined>,
): void {
  let guide: Promise<{ readonly policy: string; readonly pages: ReadonlyMap<string, string> }> | undefined

  async function read() {
    const { policy = '', pages = [] } = (await readGuide()) ?? {}
    return { policy, pages: new Map(pages) }
  }

  for (const path of ['/guide', '/guide/*']) {
    server.get<{ Params: { readonly '*'?: string } }>(path, async (request, reply) => {
      guide ??= read()
      const { policy, pages } = await guide
      const body = pages.get(request.params['*'] ?? '')?.replaceAll(ANY_BASE, () => base)
      if (body === undefined) return reply.callNotFound()
      return send(reply.header('Content-Security-Policy', policy), { type: HTML_TYPE, body })
    })
  }
}
