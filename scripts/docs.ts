import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ANY_BASE, type GuidePages } from '../src/doors/guide/pages.ts'
import { guidePage, guidePolicy, searchPage, type Writing } from './guide/layout.ts'
import { guidePictures, guideTexts, nameOf, openSite, SEARCH } from './guide/site.ts'

/** Renders the guide for `/guide`, and as files that need no server: npm run docs -- [FOLDER]. */

/** Renders all pages, by their name. */
export function renderGuide(writing: Writing): ReadonlyMap<string, string> {
  const site = openSite(guideTexts(), guidePictures(), writing.address)
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
  const pictures = [...guidePictures()].map(
    ([path, bytes]) => [nameOf(path), bytes.toString('base64')] as const,
  )
  return { policy: guidePolicy, pages: [...renderGuide({ address, links })], pictures }
}

const fileOf = (name: string) => (name === '' ? 'index.html' : name.endsWith('.png') ? name : `${name}.html`)
const address = (name: string, from: string) => posix.relative(posix.dirname(fileOf(from)), fileOf(name))

/** The pages by their file. */
export function guideFiles(): ReadonlyMap<string, string> {
  const pages = renderGuide({ address, links: [] })
  return new Map([...pages].map(([name, html]) => [fileOf(name), html]))
}

/** Writes pages and pictures below a folder. Returns the number of pages. */
export function writeGuide(folder: string): number {
  const pages = guideFiles()
  const pictures = [...guidePictures()].map(([path, bytes]) => [fileOf(nameOf(path)), bytes] as const)
  for (const [file, content] of [...pages, ...pictures]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  return pages.size
}

const [, script, folder = fileURLToPath(new URL('../dist/guide', import.meta.url))] = process.argv
if (script === fileURLToPath(import.meta.url)) console.log(`${writeGuide(folder)} pages in ${folder}`)
