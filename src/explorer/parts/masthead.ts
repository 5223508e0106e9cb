import { type Child, h } from './h.ts'

const pages = [
  { name: 'Network', path: '/', isPlain: false },
  { name: 'My hotspots', path: '/fleet', isPlain: false },
  { name: 'Guide', path: '/guide', isPlain: true },
  { name: 'API', path: '/docs', isPlain: true },
  { name: 'GraphQL', path: '/graphql', isPlain: true },
] as const

/** The head of every page: skip link, brand, navigation, and elements of the page. Links with `isPlain` load a document. */
export function masthead(
  base: string,
  current?: (typeof pages)[number]['name'],
  ...more: readonly Child[]
): readonly HTMLElement[] {
  const link = ({ name, path, isPlain }: (typeof pages)[number]) =>
    h(
      'a',
      { href: base + path, 'data-plain': isPlain, 'aria-current': name === current ? 'page' : undefined },
      name,
    )
  return [
    h('a.skip', { href: '#page' }, 'To the page'),
    h(
      'header',
      h('a.brand', { href: `${base}/` }, 'ledgerlake'),
      h('nav', { 'aria-label': 'Pages' }, pages.map(link)),
      more,
    ),
  ]
}
