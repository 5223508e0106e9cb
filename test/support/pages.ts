import { readExact } from './exact-json.ts'

type Query = Readonly<Record<string, string>>

/** GET of a path below the network. */
export type Get = (path: string) => Promise<{ readonly status: number; readonly text: string }>

/** Bodies by the address that was asked. */
export type Answers = Readonly<Record<string, string>>

/** Asks and keeps every body. Errors: Error unless a status is 200. */
export function keepAnswers(get: Get): { readonly answers: Answers; ask(path: string): Promise<string> } {
  const answers: Record<string, string> = {}
  return {
    answers,
    async ask(path) {
      const { status, text } = await get(path)
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
      answers[path] = text
      return text
    },
  }
}

interface PageMeta {
  readonly next_page: bigint | null
}

/** The bodies of the pages of a list, from the first to the last; the hosted service has its meta one deeper. */
export async function* pagesOf(ask: (path: string) => Promise<string>, path: string, query: Query) {
  for (let page: bigint | null = 1n; page !== null; ) {
    const text: string = await ask(`${path}?${new URLSearchParams({ ...query, page: String(page) })}`)
    yield text
    const { meta } = readExact<{ meta: PageMeta & { pagination?: PageMeta } }>(text)
    page = (meta.pagination ?? meta).next_page
  }
}
