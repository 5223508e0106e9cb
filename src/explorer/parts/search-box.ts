import type { Api } from '../ask/api.ts'
import { type Hit, search } from '../ask/search.ts'
import { fill, h } from './h.ts'
import { isLeft, refusal } from './panel.ts'

const kindNames = {
  hotspot: 'Hotspot',
  owner: 'Owner',
  account: 'Account',
  gateway: 'L1 gateway',
  transaction: 'Transaction',
} as const

/** A field for a key, name or hash. One hit is gone to, several are offered. */
export function searchBox(api: () => Api, base: string, go: (address: string) => void): HTMLElement {
  const field = h('input', {
    ...{
      id: 'search',
      type: 'search',
      name: 'q',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
    },
    ...{ placeholder: 'Hotspot, owner, account or hash', enterkeyhint: 'search' },
  })
  const found = h('div', { class: 'hits', 'aria-live': 'polite' })

  async function look(): Promise<void> {
    const text = field.value.trim()
    if (text === '') return fill(found)
    fill(found, h('p', { class: 'quiet' }, 'Looking…'))
    try {
      const hits = await search(api(), text)
      const [only] = hits
      if (only !== undefined && new Set(hits.map(({ path }) => path)).size === 1) {
        fill(found)
        field.value = ''
        go(base + only.path)
      } else fill(found, hits.length === 0 ? nothing(text) : list(hits))
    } catch (error) {
      if (!isLeft(error))
        fill(
          found,
          refusal(error, () => void look()),
        )
    }
  }

  const list = (hits: readonly Hit[]) =>
    h(
      'ul',
      {},
      hits.map(({ kind, text, path }) =>
        h(
          'li',
          {},
          h(
            'a',
            { href: base + path, click: () => fill(found) },
            h('span', { class: 'badge' }, kindNames[kind]),
            ' ',
            text,
          ),
        ),
      ),
    )

  const submit = (event: Event) => {
    event.preventDefault()
    void look()
  }
  return h(
    'form',
    { class: 'search', role: 'search', submit, action: `${base}/` },
    h('label', { for: 'search', class: 'hidden' }, 'Find a hotspot, owner, account or transaction'),
    h('div', { class: 'row' }, field, h('button', { type: 'submit' }, 'Find')),
    found,
  )
}

function nothing(text: string): HTMLElement {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return h(
    'p',
    {},
    `Nothing is called “${short}” here. Keys, addresses and hashes are compared as a whole, capital letters included; names need all their words.`,
  )
}
