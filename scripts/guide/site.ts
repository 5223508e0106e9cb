import { posix } from 'node:path'
import { type LinkTo, type Rendered, renderMarkdown } from './markdown.ts'
import type { GuideTexts } from './texts.ts'

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

/** Opens the guide; `address` returns the address of a page for a link on the page `from`. */
export function openSite(texts: GuideTexts, address: (name: string, from: string) => string): Site {
  const paths = new Map(Object.keys(texts).map((path) => [nameOf(path), path]))
  const pages = new Map<string, Page>()

  function linksFrom(path: string): LinkTo {
    return (link) => {
      if (/^[a-z]+:/.test(link)) return link
      const [target = '', anchor] = link.split('#')
      if (target === '') return link
      const file = posix.join(posix.dirname(path), decodeURIComponent(target)).replace(/\/$/, '')
      if (texts[file] === undefined) return undefined
      return address(nameOf(file), nameOf(path)) + (anchor === undefined ? '' : `#${anchor}`)
    }
  }

  function page(name: string): Page | undefined {
    const path = paths.get(name)
    const cached = pages.get(name)
    if (path === undefined || cached !== undefined) return cached
    const text = texts[path] ?? ''
    const source = path.endsWith('.md') ? text : `# \`${path}\`\n\n${fenced(text)}`
    const rendered = { name, path, ...renderMarkdown(source, linksFrom(path)) }
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

/** `docs/guide/asking.md` is `asking`, `docs/reference/errors.md` is `reference/errors`; other files are sources. */
function nameOf(path: string): string {
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
