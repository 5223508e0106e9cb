import type { Api } from '../ask/api.ts'
import { LEAST_LETTERS, type SearchResult, search } from '../ask/search.ts'
import { chooseHit } from '../values/choose-hit.ts'
import { noHitText } from '../values/unknown.ts'
import { fill, h, paragraph, quiet } from './h.ts'
import { isLeft, refusal } from './panel.ts'

const kindNames = {
  hotspot: 'Hotspot',
  owner: 'Owner',
  account: 'Account',
  gateway: 'L1 gateway',
  transaction: 'Transaction',
} as const

/** Debounce time: one search after a pause in typing. */
const PAUSE_MS = 200

/** A search field for a name, key, address or hash, with prefix matches below it. Enter opens the only exact match. */
export function searchBox(api: () => Api, base: string, go: (address: string) => void): HTMLElement {
  const field = h('input', {
    ...{ id: 'search', type: 'search', name: 'q' },
    ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
    ...{ placeholder: 'Hotspot, owner, account or hash', enterkeyhint: 'search' },
  })
  const hitList = h('div.hits', { 'aria-live': 'polite' })

  let timer: ReturnType<typeof setTimeout> | undefined
  let searches = 0

  /** `isFinal` after Enter: then a single hit is opened. */
  async function look(isFinal: boolean): Promise<void> {
    clearTimeout(timer)
    searches += 1
    const number = searches
    const text = field.value.trim()
    if (text === '' || (!isFinal && text.length < LEAST_LETTERS)) return fill(hitList)
    if (isFinal) fill(hitList, quiet('Looking…'))
    try {
      const hits = await search(api(), text)
      if (number !== searches) return
      const only = chooseHit(hits, text)
      if (isFinal && only !== undefined) {
        fill(hitList)
        field.value = ''
        go(base + only.path)
      } else fill(hitList, hits.length === 0 ? paragraph(noHitText(text)) : h('ul', hits.map(line)))
    } catch (error) {
      const again = () => void look(isFinal)
      if (number === searches && !isLeft(error)) fill(hitList, refusal(error, again))
    }
  }

  const line = ({ kind, text, path }: SearchResult) => {
    const link = { href: base + path, click: () => fill(hitList) }
    return h('li', h('a', link, h('span.badge', kindNames[kind]), ' ', text))
  }

  const submit = (event: Event) => {
    event.preventDefault()
    void look(true)
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(false), PAUSE_MS)
  })
  return h(
    'form.search',
    { role: 'search', submit, action: `${base}/` },
    h('label.hidden', { for: 'search' }, 'Find a hotspot, owner, account or transaction'),
    h('div.row', field, h('button', { type: 'submit' }, 'Find')),
    hitList,
  )
}
