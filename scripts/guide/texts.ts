import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Text of each file by its path in the repository; for a folder the names of its files. */
export type GuideTexts = Readonly<Record<string, string>>

const root = fileURLToPath(new URL('../..', import.meta.url))
const GUIDE = 'docs/guide/'
const LINK = /\]\(([^)#\s]+)[^)]*\)/g

/** Reads all markdown of docs, and other files that guides link to except pictures, which are large. */
export function guideTexts(): GuideTexts {
  const pages = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name))
  const linked = pages.filter((path) => path.startsWith(GUIDE)).flatMap(linksOf)
  const paths = [...new Set([...pages, ...linked])].sort()
  return Object.fromEntries(paths.map((path) => [path, textOf(path)]))
}

function linksOf(page: string): readonly string[] {
  const links = [...readFileSync(root + page, 'utf8').matchAll(LINK)].map(([, link = '']) => link)
  return links
    .filter((link) => !/^[a-z]+:|\.png$/.test(link))
    .map((link) => posix.join(posix.dirname(page), decodeURIComponent(link)))
}

function textOf(path: string): string {
  const location = join(root, path)
  if (!statSync(location).isDirectory()) return readFileSync(location, 'utf8')
  const names = readdirSync(location, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => statSync(join(location, name)).isFile())
    .sort()
    .map((name) => `${name}\n`)
    .join('')
}
