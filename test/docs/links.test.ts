import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const FENCED = /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm
const LINK = /\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g
/** A file of code in backquotes. */
const NAMED = /`([\w./-]+\.[cm]?[jt]s)`/g
const HEADING = /^#{1,6} +(.+?) *$/gm

/** Markdown at the top, in .github, docs, data, bench, src and test, but not in what a bench has installed. */
const files = [
  ...readdirSync(root).map((name) => join(root, name)),
  ...['.github', 'docs', 'data', 'bench', 'src', 'test']
    .map((folder) => join(root, folder))
    .filter(existsSync)
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    ),
].filter((path) => path.endsWith('.md') && !path.includes('node_modules'))

const code = readdirSync(root)
  .concat(
    ...['src', 'test', 'bench', 'scripts'].map((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    ),
  )
  .map((name) => `/${name}`)

/** What a heading is called in a link: as GitHub does it. */
function anchorsOf(path: string): ReadonlySet<string> {
  const text = readFileSync(path, 'utf8').replace(FENCED, '')
  return new Set(
    [...text.matchAll(HEADING)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function isBroken(from: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false
  const [target = '', anchor] = link.split('#')
  const path = target === '' ? from : join(dirname(from), decodeURIComponent(target))
  if (!existsSync(path)) return true
  return anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).has(anchor)
}

describe('links', () => {
  it.each([
    ['links', LINK, 50],
    ['files of code', NAMED, 20],
  ])('the pages have %s', (_, pattern, least) => {
    const found = files.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(pattern)])
    expect(found.length).toBeGreaterThan(least)
  })

  it.each(files.map((path) => [relative(root, path), path] as const))(
    'every link in %s leads somewhere, and every file of code that it names exists',
    (_name, path) => {
      const text = readFileSync(path, 'utf8').replace(FENCED, '')
      const links = [...text.matchAll(LINK)].map(([, link = '']) => link)
      expect(links.filter((link) => isBroken(path, link))).toEqual([])
      const named = [...text.matchAll(NAMED)].map(([, name = '']) => name)
      expect(named.filter((name) => !code.some((file) => file.endsWith(`/${name}`)))).toEqual([])
    },
  )
})
