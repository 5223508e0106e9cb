import { Refused } from '../ask/api.ts'
import { type Child, fill, h, paragraph } from './h.ts'
import { keyForm } from './key-form.ts'

/** After this time the panel says that loading is slow. */
const SLOW_MS = 3000

/** A section that loads its content. It shows progress, and for an error its reason and a button to retry. */
export function panel(title: string, load: () => Promise<Child>): HTMLElement {
  const body = h('div.panel-body')
  const section = h('section.panel', { 'aria-label': title }, h('h2', title), body)
  const tell = (text: string) => fill(body, h('p.quiet.loading', { role: 'status' }, text))

  async function loadPatiently(): Promise<Child> {
    section.setAttribute('aria-busy', 'true')
    tell('Loading…')
    const slow = setTimeout(() => tell('Still loading. A shorter range is faster.'), SLOW_MS)
    try {
      return await load()
    } finally {
      clearTimeout(slow)
      section.removeAttribute('aria-busy')
    }
  }

  void fillLater(body, loadPatiently)
  return section
}

/** Fills an element with what `load` returns, or with its error and a button to retry; neither after the page was left. */
export async function fillLater(element: HTMLElement, load: () => Promise<Child>): Promise<void> {
  try {
    fill(element, await load())
  } catch (error) {
    if (!isLeft(error))
      fill(
        element,
        refusal(error, () => void fillLater(element, load)),
      )
  }
}

export const isLeft = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

const headings: Readonly<Record<number, string>> = {
  0: 'No connection',
  402: 'The quota of this key is used up',
  403: 'This key may not see this',
  404: 'Nothing found',
  429: 'Too many requests for now',
  503: 'The server is busy, or has no data yet',
  504: 'This took too long',
}

/** The error message, with advice and a button to retry; the key form after 401. */
export function refusal(error: unknown, again: () => void): HTMLElement {
  const { status, retryAfter, message } =
    error instanceof Refused ? error : { status: -1, retryAfter: undefined, message: String(error) }
  if (status === 401) return keyForm()
  return h(
    'div.refusal',
    { role: 'alert' },
    h('p.strong', headings[status] ?? 'This could not be shown'),
    paragraph(message),
    retryAfter === undefined ? undefined : paragraph(`Ask again in ${retryAfter} s.`),
    h('button', { type: 'button', click: again }, 'Try again'),
  )
}
