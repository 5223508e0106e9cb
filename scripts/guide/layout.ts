import { contentPolicy } from '../../src/doors/html/content-policy.ts'
import { Html, html } from '../../src/doors/html/html.ts'
import { documentOf } from '../../src/doors/html/html-document.ts'
import { pageStyles } from '../../src/doors/html/styles.ts'
import { type Page, SEARCH, type Site } from './site.ts'

/** Links of a guide: `address` returns the address of a page relative to another. */
export interface Writing {
  address(name: string, from: string): string
  /** Links to other parts of the server, as label and address; none in files. */
  readonly links: readonly (readonly [string, string])[]
}

const guideStyles = `${pageStyles}
form { display: flex; gap: 0.5rem; margin: 0.75rem 0 }
form button { margin: 0 }
main h2 { margin: 2rem 0 0.5rem } main h2 a, main h3 a { color: inherit; text-decoration: none }
main li { max-width: 46rem; margin: 0.25rem 0 } main li p { color: var(--soft); margin: 0 0 0.5rem }
.wide { overflow-x: auto; margin: 0 0 1rem } table { border-collapse: collapse; font-size: 0.925rem }
th, td { border: 1px solid var(--line); padding: 0.35rem 0.6rem; text-align: left; vertical-align: top; min-width: 6rem }
th { background: var(--side) } :target { scroll-margin-top: 1rem }
main img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px }
.path { color: var(--soft); font-size: 0.8rem; margin-top: 3rem }
`

/** Finds sections with all words of the query, matches in titles first, and shows text around the first word. The index is part of the page. */
const searchScript = `
const sections = JSON.parse(document.getElementById('index').textContent)
const question = new URLSearchParams(location.search).get('q') ?? ''
const words = question.toLowerCase().split(/\\s+/).filter((word) => word !== '')
const hitList = document.getElementById('found')

function weight({ page, title, text }) {
  let sum = 0
  for (const word of words) {
    const inTitle = title.toLowerCase().includes(word), inText = text.toLowerCase().includes(word)
    if (!inTitle && !inText && !page.toLowerCase().includes(word)) return 0
    sum += inTitle ? 10 : inText ? 2 : 1
  }
  return sum
}

function around(text) {
  const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((own) => own >= 0), text.length) - 60)
  return (at > 0 ? '…' : '') + text.slice(at, at + 200) + (at + 200 < text.length ? '…' : '')
}

for (const field of document.querySelectorAll('input[name=q]')) field.value = question
const hits = words.length === 0 ? [] : sections.map((section) => ({ section, sum: weight(section) }))
  .filter(({ sum }) => sum > 0).sort((one, other) => other.sum - one.sum).slice(0, 40)
document.getElementById('count').textContent = words.length === 0 ? '' :
  hits.length === 0 ? 'Nothing has all these words.' : hits.length + (hits.length === 1 ? ' section' : ' sections')
for (const { section } of hits) {
  const item = document.createElement('li'), link = document.createElement('a'), shown = document.createElement('p')
  link.href = section.href
  link.textContent = section.page === section.title ? section.page : section.page + ': ' + section.title
  shown.textContent = around(section.text)
  item.append(link, shown)
  hitList.append(item)
}
`

/** Allows inline content, and pictures and forms of this server only. */
export const guidePolicy = contentPolicy(searchScript, guideStyles, ["form-action 'self'"], "'self'")

/** Renders a page with the contents. */
export function guidePage(site: Site, page: Page, writing: Writing): string {
  const body = html`${new Html(page.html)}<p class="path">This page is <code>${page.path}</code> of the source.</p>`
  return layout(site, { ...page, body }, writing)
}

/** Renders the search page with the index of all guides. */
export function searchPage(site: Site, writing: Writing): string {
  const index = site.guides().flatMap(({ name, title: page, sections }) =>
    sections.map(({ anchor, title, text }) => {
      const href = writing.address(name, SEARCH) + (anchor === '' ? '' : `#${anchor}`)
      return { href, page, title, text }
    }),
  )
  const json = JSON.stringify(index).replaceAll('<', '\\u003c')
  const body = html`<h1>Search</h1>
<noscript><p>The search needs JavaScript; all pages are in the contents.</p></noscript>
<p id="count" role="status"></p><ul id="found"></ul>
<script type="application/json" id="index">${new Html(json)}</script>
<script>${new Html(searchScript)}</script>`
  return layout(site, { name: SEARCH, title: 'Search', body }, writing)
}

interface PageContent {
  readonly name: string
  readonly title: string
  readonly body: Html
}

function layout(
  site: Site,
  { name, title, body }: PageContent,
  { address, links: outerLinks }: Writing,
): string {
  const links = site.guides().map((page) => {
    const current = page.name === name ? new Html(' aria-current="page"') : undefined
    return html`<li><a href="${address(page.name, name)}"${current}>${page.title}</a></li>
`
  })
  return documentOf(
    `${title}: ledgerlake`,
    guideStyles,
    html`<a class="skip" href="#start">To the text</a>
<nav aria-label="Guide">
${outerLinks.map(([label, href]) => html`<a href="${href}">${label}</a> `)}
<form role="search" action="${address(SEARCH, name)}"><input type="search" name="q" aria-label="Search the guide" placeholder="Search"><button>Find</button></form>
<a class="all" href="${address('', name)}">All pages</a>
<ul class="contents">${links}</ul>
</nav>
<main id="start">
${body}
<a class="up" href="#top">Top</a>
</main>`,
  )
}
