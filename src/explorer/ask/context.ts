import type { Api } from './api.ts'

/** The data that every page is rendered with. */
export interface Context {
  readonly api: Api
  /** The base path of all pages. */
  readonly base: string
  /** The query of the address. */
  readonly query: URLSearchParams
  /** Navigates to another address of this server without a page load. */
  readonly go: (address: string) => void
}

/** A rendered page, with the title of the window. */
export interface Shown {
  readonly title: string
  readonly content: HTMLElement
}
