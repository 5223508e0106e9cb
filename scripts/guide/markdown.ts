import { Marked, type Token, type Tokens } from 'marked'

/** Resolves a link of a page; undefined if it has no target, so that only its text is shown. */
export type LinkTo = (link: string) => string | undefined

interface Picture {
  readonly address: string
  readonly width: number
  readonly height: number
}

/** Resolves the address of a picture; undefined for one that the guide does not contain. */
export type PictureAt = (link: string) => Picture | undefined

interface Section {
  /** Anchor of the heading, as on GitHub; empty for the text below the title. */
  readonly anchor: string
  readonly title: string
  /** Text without markup. */
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')

/** Markdown has no tables without a head. */
const EMPTY_HEAD = /<thead>\s*<tr>\s*(?:<th><\/th>\s*)+<\/tr>\s*<\/thead>/g

const isPlainTag = (text: string) => /^<\/?(?:sup|sub|br)>$/.test(text.trim())

/** Renders markdown. HTML is escaped except sup, sub and br; a picture that the guide does not contain becomes its alternative text. */
export function renderMarkdown(
  text: string,
  linkTo: LinkTo,
  pictureAt: PictureAt = () => undefined,
): Rendered {
  const anchors = anchorsInOrder()
  const marked = new Marked({
    // A bare address is an example, not a link.
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
      image({ href, text: words }) {
        const picture = pictureAt(href)
        if (picture === undefined) return `<em>${escaped(words)}</em>`
        const { address, width, height } = picture
        return `<img src="${escaped(address)}" width="${width}" height="${height}" loading="lazy" alt="${escaped(words)}">`
      },
      html: ({ text: tag }) => (isPlainTag(tag) ? tag : escaped(tag)),
    },
  })
  const html = marked.parse(text, { async: false })
  return {
    ...sectionsOf(marked.lexer(text)),
    // What scrolls sideways must be reachable by keyboard. Text of the page has its angle brackets escaped.
    html: html
      .replaceAll('<pre>', '<pre tabindex="0">')
      .replace(EMPTY_HEAD, '')
      .replaceAll('<th></th>', '<td></td>')
      .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>'),
  }
}

function sectionsOf(tokens: readonly Token[]): Pick<Rendered, 'title' | 'sections'> {
  const anchors = anchorsInOrder()
  const sections: { anchor: string; title: string; text: string }[] = []
  let title = ''
  for (const token of tokens) {
    if (isHeading(token)) {
      const heading = plainText(token.tokens)
      const anchor = anchors(heading)
      if (token.depth === 1) title = heading
      sections.push({ anchor: token.depth === 1 ? '' : anchor, title: heading, text: '' })
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

/** Text of tokens without markup. */
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

/** Creates anchors like GitHub: lower case, no punctuation, hyphens, numbered if repeated. */
function anchorsInOrder(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const before = counts.get(name) ?? 0
    counts.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
}
