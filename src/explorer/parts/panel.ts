import { Refused } from '../ask/api.ts'
import { fill, h, paragraph } from './h.ts'
import { keyForm } from './key-form.ts'

/** After this time the panel says that loading is slow. */
const SLOW_MS = 3000

/** A section that loads its content. It shows progress, and for an error its reason and a button to retry. */
export function panel(title: string, load: () => Promise<HTMLElement>): HTMLElement {
  const body = h('div', { class: 'panel-body' })
  const section = h('section', { class: 'panel', 'aria-label': title }, h('h2', {}, title), body)

  async function show(): Promise<void> {
    section.setAttribute('aria-busy', 'true')
    fill(body, h('p', { class: 'quiet loading', role: 'status' }, 'Loading…'))
    const slow = setTimeout(
      () =>
        fill(
          body,
          h('p', { class: 'quiet loading', role: 'status' }, 'Still loading. A shorter range is faster.'),
        ),
      SLOW_MS,
    )
    try {
      fill(body, await load())
    } catch (error) {
      if (!isLeft(error)) fill(body, refusal(error, show))
    } finally {
      clearTimeout(slow)
      section.removeAttribute('aria-busy')
    }
  }

  void show()
  return section
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
  const wait = retryAfter === undefined ? undefined : paragraph(`Ask again in ${retryAfter} s.`)
  return h(
    'div',
    { class: 'refusal', role: 'alert' },
    h('p', { class: 'strong' }, headings[status] ?? 'This could not be shown'),
    paragraph(message),
    wait,
    h('button', { type: 'button', click: again }, 'Try again'),
  )
}
