import { type PageKind, pageKinds, pagePath } from '../values/addresses.ts'
import type { Api } from './api.ts'

/** A search hit. `path` is the path of its page below the base path. */
export interface SearchResult {
  readonly kind: PageKind
  readonly key: string
  /** The text to show. */
  readonly text: string
  readonly path: string
  readonly isExact: boolean
}

interface Reply {
  readonly hits: readonly {
    readonly kind: string
    readonly key: string
    readonly name: string | null
    readonly is_exact: boolean
  }[]
  readonly more: readonly string[]
}

/** Hits with a page, and the kinds with more hits. */
interface SearchResults {
  readonly hits: readonly SearchResult[]
  readonly more: readonly PageKind[]
}

/** Shorter prefixes match too many rows. */
export const LEAST_LETTERS = 3

const isPage = (kind: string): kind is PageKind => pageKinds.some((own) => own === kind)

/** Finds pages by name, words of a name or a prefix; exact matches come first. Errors: Refused. */
export async function search(api: Api, text: string): Promise<SearchResults> {
  const { value } = await api.ask<Reply>('/search', { q: text })
  const hits = value.hits.flatMap(({ kind, key, name, is_exact: isExact }) =>
    isPage(kind) ? [{ kind, key, text: name ?? key, path: pagePath(kind, key), isExact }] : [],
  )
  // The page of a hotspot links to its page as an L1 gateway.
  const isHotspot = (key: string) => hits.some((one) => one.kind === 'hotspot' && one.key === key)
  return {
    hits: hits.filter(({ kind, key }) => kind !== 'gateway' || !isHotspot(key)),
    more: value.more.filter(isPage),
  }
}
