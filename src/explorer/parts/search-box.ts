import type { Api } from '../ask/api.ts'
import { LEAST_LETTERS, type SearchResult, search } from '../ask/search.ts'
import type { PageKind } from '../values/addresses.ts'
import { chooseHit } from '../values/choose-hit.ts'
import { noHitText } from '../values/unknown.ts'
import { fill, h, paragraph, quiet } from './h.ts'
import { isLeft, refusal } from './panel.ts'

const kindNames: Readonly<Record<PageKind, string>> = {
  hotspot: 'Hotspot',
  owner: 'Owner',
  account: 'Account',
  gateway: 'L1 gateway',
  transaction: 'Transaction',
}

const moreOf: Readonly<Record<PageKind, string>> = {
  hotspot: 'hotspots',
  owner: 'owners',
  account: 'accounts',
  gateway: 'L1 gateways',
  transaction: 'transactions',
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Debounce time: one search after a pause in typing. */
const PAUSE_MS = 200

/**
 * A search field for a name, key, address or hash, with suggestions below it. Enter opens the only exact match; the arrow
 * keys move through the suggestions, and Escape closes them.
 */
export function searchBox(api: () => Api, base: string, go: (address: string) => void): HTMLElement {
  const field = h('input', {
    ...{ id: 'search', type: 'search', name: 'q' },
    ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
    ...{ placeholder: 'Name, key, address or hash', enterkeyhint: 'search' },
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
      const { hits, more } = await search(api(), text)
      if (number !== searches) return
      const only = chooseHit(hits, text)
      if (isFinal && only !== undefined) {
        fill(hitList)
        field.value = ''
        go(base + only.path)
      } else if (hits.length === 0) fill(hitList, paragraph(noHitText(text)))
      else fill(hitList, h('ul', hits.map(line)), more.length > 0 ? quiet(moreText(more)) : undefined)
    } catch (error) {
      const again = () => void look(isFinal)
      if (number === searches && !isLeft(error)) fill(hitList, refusal(error, again))
    }
  }

  const line = ({ kind, text, path }: SearchResult) => {
    const link = { href: base + path, click: () => fill(hitList) }
    return h('li', h('a', link, h('span.badge', kindNames[kind]), ' ', h('span.hit', text)))
  }

  /** Moves the focus between the field and its suggestions. */
  function move(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return
    const stops: HTMLElement[] = [field, ...hitList.querySelectorAll('a')]
    const { activeElement: focused } = document
    const at = focused instanceof HTMLElement ? stops.indexOf(focused) : -1
    const step = steps[event.key] ?? 0
    if (event.key === 'Escape' && hitList.hasChildNodes()) {
      searches += 1
      clearTimeout(timer)
      fill(hitList)
      field.focus()
    } else if (step !== 0 && at >= 0 && stops.length > 1)
      stops[(at + step + stops.length) % stops.length]?.focus()
    else return
    event.preventDefault()
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
    { role: 'search', submit, keydown: move, action: `${base}/` },
    h('label.hidden', { for: 'search' }, 'Find a hotspot, owner, account or transaction'),
    h('div.row', field, h('button', { type: 'submit' }, 'Find')),
    hitList,
  )
}

const moreText = (kinds: readonly PageKind[]) =>
  `There are more ${kinds.map((kind) => moreOf[kind]).join(', ')} than shown. Type more.`
