import type { FastifyInstance } from 'fastify'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { HTML_TYPE, send } from '../reply/representation.ts'
import { guidePage, guidePolicy, searchPage, type Writing } from './layout.ts'
import { openSite, SEARCH, type Site } from './site.ts'
import { guideTexts } from './texts.ts'

/** Serves /guide and its pages without a key, rendered on demand; `base` precedes addresses. */
export function addGuide(server: FastifyInstance, base: string): void {
  const address = (name: string) => `${base}/guide${name === '' ? '' : `/${name}`}`
  const links = [
    ['ledgerlake', `${base}/`],
    ['API reference', `${base}/docs`],
  ] as const
  const writing: Writing = { address, links }
  let site: Site | undefined
  let search: string | undefined

  async function textOf(name: string): Promise<string | undefined> {
    site ??= openSite(guideTexts(), address)
    // Each page lists the titles of all pages.
    for (const guide of site.guideNames()) {
      site.page(guide)
      if (isSliceOver()) await nextSlice()
    }
    if (name === SEARCH) {
      search ??= searchPage(site, writing)
      return search
    }
    const page = site.page(name)
    return page && guidePage(site, page, writing)
  }

  for (const path of ['/guide', '/guide/*']) {
    server.get<{ Params: { readonly '*'?: string } }>(path, async (request, reply) => {
      const body = await textOf(request.params['*'] ?? '')
      if (body === undefined) return reply.callNotFound()
      return send(reply.header('Content-Security-Policy', guidePolicy), { type: HTML_TYPE, body })
    })
  }
}
