import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LinkTo, type PictureAt, type Rendered, renderMarkdown } from './markdown.ts'

/** Text of each file by its path in the repository; for a folder the names of its files. */
export type GuideTexts = Readonly<Record<string, string>>

const root = fileURLToPath(new URL('../..', import.meta.url))
const GUIDE = 'docs/guide/'
const LINK = /\]\(([^)#\s]+)[^)]*\)/g
const isPicture = (path: string) => path.endsWith('.png')

/** Reads all markdown of docs, and other files that guides link to except pictures. */
export function guideTexts(): GuideTexts {
  const pages = markdownPaths()
  const linked = linksOfGuides().filter((path) => !isPicture(path))
  const paths = [...new Set([...pages, ...linked])].sort()
  return Object.fromEntries(paths.map((path) => [path, textOf(path)]))
}

/** Reads the pictures that guides show, by their path in the repository. */
export function guidePictures(): ReadonlyMap<string, Buffer> {
  const paths = [...new Set(linksOfGuides().filter(isPicture))].sort()
  return new Map(paths.map((path) => [path, readFileSync(root + path)]))
}

function markdownPaths(): readonly string[] {
  return readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name))
}

function linksOfGuides(): readonly string[] {
  return markdownPaths()
    .filter((path) => path.startsWith(GUIDE))
    .flatMap(linksOf)
}

function linksOf(page: string): readonly string[] {
  const links = [...readFileSync(root + page, 'utf8').matchAll(LINK)].map(([, link = '']) => link)
  return links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => linkedFile(page, link))
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

export interface Page extends Rendered {
  /** Name below /guide, such as `reference/errors`; empty for the contents. */
  readonly name: string
  /** Path in the repository. */
  readonly path: string
}

/** Pages of the guide, rendered on demand. */
export interface Site {
  readonly names: readonly string[]
  page(name: string): Page | undefined
  /** Names of the guides in the order of the contents, then the glossary. */
  guideNames(): readonly string[]
  guides(): readonly Page[]
}

export const SEARCH = 'search'

const CONTENTS = 'docs/guide/README.md'

/** Opens the guide; `address` returns the address of a page or picture for a link on the page `from`. */
export function openSite(
  texts: GuideTexts,
  pictures: ReadonlyMap<string, Buffer>,
  address: (name: string, from: string) => string,
): Site {
  const paths = new Map(Object.keys(texts).map((path) => [nameOf(path), path]))
  const pages = new Map<string, Page>()

  function linksFrom(path: string): LinkTo {
    return (link) => {
      if (/^[a-z]+:/.test(link)) return link
      const [target = '', anchor] = link.split('#')
      if (target === '') return link
      const file = linkedFile(path, target).replace(/\/$/, '')
      if (texts[file] === undefined) return undefined
      return address(nameOf(file), nameOf(path)) + (anchor === undefined ? '' : `#${anchor}`)
    }
  }

  function picturesFrom(path: string): PictureAt {
    return (link) => {
      const file = linkedFile(path, link)
      const bytes = pictures.get(file)
      if (bytes === undefined) return undefined
      // The first chunk of a PNG begins with its width and height.
      const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
      return { address: address(nameOf(file), nameOf(path)), width, height }
    }
  }

  function page(name: string): Page | undefined {
    const path = paths.get(name)
    const cached = pages.get(name)
    if (path === undefined || cached !== undefined) return cached
    const text = texts[path] ?? ''
    const source = path.endsWith('.md') ? text : `# \`${path}\`\n\n${fenced(text)}`
    const rendered = { name, path, ...renderMarkdown(source, linksFrom(path), picturesFrom(path)) }
    pages.set(name, rendered)
    return rendered
  }

  function guideNames(): readonly string[] {
    const linked = [...(texts[CONTENTS] ?? '').matchAll(/\]\(([\w./-]+\.md)\)/g)]
    const names = linked.map(([, link = '']) => nameOf(posix.join(posix.dirname(CONTENTS), link)))
    return [...new Set(['', ...names])]
  }

  return {
    names: [...paths.keys()],
    page,
    guideNames,
    guides: () => guideNames().flatMap((name) => page(name) ?? []),
  }
}

function linkedFile(page: string, link: string): string {
  return posix.join(posix.dirname(page), decodeURIComponent(link))
}

/** `docs/guide/asking.md` is `asking`, `docs/reference/errors.md` is `reference/errors`, `docs/images/x.png` is `images/x.png`; other files are sources. */
export function nameOf(path: string): string {
  if (isPicture(path)) return path.replace(/^docs\//, '')
  if (!path.endsWith('.md')) return `source/${path}`
  return path
    .replace(/^docs\/(guide\/)?/, '')
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '')
    .toLowerCase()
}

function fenced(text: string): string {
  return `${'`'.repeat(8)}\n${text}${'`'.repeat(8)}\n`
}
