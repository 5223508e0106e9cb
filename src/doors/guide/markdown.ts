import { Marked, type Token, type Tokens } from 'marked'

/** Where a link of a page leads; undefined when it leads nowhere from here, and its text alone is shown. */
export type LinkTo = (link: string) => string | undefined

interface Section {
  /** Anchor of the heading, as GitHub makes it; empty for what stands above the first one below the title. */
  readonly anchor: string
  readonly title: string
  /** Its words without markup. */
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
const isPlainTag = (text: string) => /^<\/?(?:sup|sub|br)>$/.test(text.trim())

/** Renders a page of markdown; HTML in it is shown as text, but for powers and line breaks, and a picture as its words: pages load nothing. */
export function renderMarkdown(text: string, linkTo: LinkTo): Rendered {
  const anchors = anchorsInOrder()
  const marked = new Marked({
    // An address that is only written down is an example, and no link.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchors(plainText(tokens))
        const label = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${anchor}">${label}</h1>\n`
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${label}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const address = linkTo(href)
        const label = this.parser.parseInline(tokens)
        if (address === undefined) return `<span title="${escaped(href)}">${label}</span>`
        return `<a href="${escaped(address)}">${label}</a>`
      },
      image: ({ text: words }) => `<em>${escaped(words)}</em>`,
      html: ({ text: tag }) => (isPlainTag(tag) ? tag : escaped(tag)),
    },
  })
  const html = marked.parse(text, { async: false })
  return {
    ...sectionsOf(marked.lexer(text)),
    html: html.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>'),
  }
}

function sectionsOf(tokens: readonly Token[]): Pick<Rendered, 'title' | 'sections'> {
  const anchors = anchorsInOrder()
  const sections: { anchor: string; title: string; text: string }[] = []
  let title = ''
  for (const token of tokens) {
    if (isHeading(token)) {
      const own = plainText(token.tokens)
      const anchor = anchors(own)
      if (token.depth === 1) title = own
      sections.push({ anchor: token.depth === 1 ? '' : anchor, title: own, text: '' })
    } else {
      const last = sections.at(-1)
      if (last !== undefined) last.text += ` ${plainText([token])}`
    }
  }
  const trimmed = sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }))
  return { title, sections: trimmed }
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

/** The words of tokens without markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(plainToken).join('')
}

function plainToken(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map((cell) => `${plainText(cell.tokens)} `)).join('')
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map((item) => `${plainText(item.tokens)} `).join('')
  if (token.type === 'html') return isPlainTag(token.raw) ? '' : token.raw
  if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
  if ('text' in token && typeof token.text === 'string') return token.text
  return token.type === 'space' || token.type === 'br' ? ' ' : ''
}

/** Names headings as GitHub does: in lower case, without marks, with hyphens, numbered when they come again. */
function anchorsInOrder(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
}
