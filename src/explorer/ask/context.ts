import type { Api } from './api.ts'

/** The data that every page is rendered with. */
export interface Context {
  readonly api: Api
  /** The base path of all pages. */
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
