import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { guidePage, searchPage, type Writing } from '../src/doors/guide/layout.ts'
import { openSite, SEARCH } from '../src/doors/guide/site.ts'
import { guideTexts } from '../src/doors/guide/texts.ts'

/** Writes the guides as files that need no server, as /guide shows them: npm run docs -- [FOLDER]. */

const fileOf = (name: string) => (name === '' ? 'index.html' : `${name}.html`)
const address = (name: string, from: string) => posix.relative(posix.dirname(fileOf(from)), fileOf(name))
const writing: Writing = { address, links: [] }

/** The pages by their file. */
export function guideFiles(): ReadonlyMap<string, string> {
  const site = openSite(guideTexts(), address)
  const pages = site.names.flatMap((name) => site.page(name) ?? [])
  const written = pages.map((page) => [fileOf(page.name), guidePage(site, page, writing)] as const)
  return new Map([...written, [fileOf(SEARCH), searchPage(site, writing)]])
}

function main(folder: string): void {
  const files = guideFiles()
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  console.log(`${files.size} pages in ${folder}`)
}

const [, script, folder = fileURLToPath(new URL('../dist/guide', import.meta.url))] = process.argv
if (script === fileURLToPath(import.meta.url)) main(folder)
