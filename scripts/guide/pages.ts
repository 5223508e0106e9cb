import { ANY_BASE, type GuidePages } from '../../src/doors/guide/pages.ts'
import { guidePage, guidePolicy, searchPage, type Writing } from './layout.ts'
import { openSite, SEARCH } from './site.ts'
import { guideTexts } from './texts.ts'

/** Renders all pages, by their name. */
export function renderGuide(writing: Writing): ReadonlyMap<string, string> {
  const site = openSite(guideTexts(), writing.address)
  const pages = site.names.flatMap((name) => site.page(name) ?? [])
  const rendered = pages.map((page) => [page.name, guidePage(site, page, writing)] as const)
  return new Map([...rendered, [SEARCH, searchPage(site, writing)]])
}

/** Renders the guide as a server has it. */
export function servedGuide(): GuidePages {
  const address = (name: string) => `${ANY_BASE}/guide${name === '' ? '' : `/${name}`}`
  const links = [
    ['ledgerlake', `${ANY_BASE}/`],
    ['API reference', `${ANY_BASE}/docs`],
  ] as const
  return { policy: guidePolicy, pages: [...renderGuide({ address, links })] }
}
