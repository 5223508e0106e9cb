import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderGuide } from './guide/pages.ts'

/** Writes the guides as files that need no server, as /guide shows them: npm run docs -- [FOLDER]. */

const fileOf = (name: string) => (name === '' ? 'index.html' : `${name}.html`)
const address = (name: string, from: string) => posix.relative(posix.dirname(fileOf(from)), fileOf(name))

/** The pages by their file. */
export function guideFiles(): ReadonlyMap<string, string> {
  const pages = renderGuide({ address, links: [] })
  return new Map([...pages].map(([name, html]) => [fileOf(name), html]))
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
