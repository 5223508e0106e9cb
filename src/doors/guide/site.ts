import { posix } from 'node:path'
import { type LinkTo, type Rendered, renderMarkdown } from './markdown.ts'
import type { GuideTexts } from './texts.ts'

export interface Page extends Rendered {
  /** Below /guide, such as `reference/errors`; empty for the contents. */
  readonly name: string
  /** Of the text in the repository. */
  readonly path: string
}

/** The pages of the guide, made when they are asked for. */
export interface Site {
  readonly names: readonly string[]
  page(name: string): Page | undefined
  /** Names of the guides in the order of their contents, then of the glossary. */
  guideNames(): readonly string[]
  guides(): readonly Page[]
}

/** The name of the page that holds the search. */
export const SEARCH = 'search'

const CONTENTS = 'docs/guide/README.md'

/** `address` of a page, by its name, as the page named `from` has to link to it. */
export function openSite(texts: GuideTexts, address: (name: string, from: string) => string): Site {
  const paths = new Map(Object.keys(texts).map((path) => [nameOf(path), path]))
  const known = new Map<string, Page>()

  function linksFrom(path: string): LinkTo {
    return (link) => {
      if (/^[a-z]+:/.test(link)) return link
      const [target = '', anchor] = link.split('#')
      if (target === '') return link
      const found = posix.join(posix.dirname(path), decodeURIComponent(target)).replace(/\/$/, '')
      if (texts[found] === undefined) return undefined
      return address(nameOf(found), nameOf(path)) + (anchor === undefined ? '' : `#${anchor}`)
    }
  }

  function page(name: string): Page | undefined {
    const path = paths.get(name)
    const made = known.get(name)
    if (path === undefined || made !== undefined) return made
    const text = texts[path] ?? ''
    const source = path.endsWith('.md') ? text : `# \`${path}\`\n\n${fenced(text)}`
    const own = { name, path, ...renderMarkdown(source, linksFrom(path)) }
    known.set(name, own)
    return own
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

/** `docs/guide/asking.md` is `asking`, `docs/reference/errors.md` is `reference/errors`; what is no markdown is a source. */
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
