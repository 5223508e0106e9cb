import type { Api } from './api.ts'

/** What a page is shown with. */
export interface Context {
  readonly api: Api
  /** What stands before the paths of pages. */
  readonly base: string
  /** The query of the address. */
  readonly query: URLSearchParams
  /** Goes to another address of this server without loading it anew. */
  readonly go: (address: string) => void
}

/** A page: its name, for the title of the window, and what is on it. */
export interface Shown {
  readonly title: string
  readonly content: HTMLElement
}
