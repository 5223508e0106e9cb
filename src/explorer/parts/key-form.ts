import { forgetKey, keepKey, knownKey } from '../ask/keys.ts'
import { div, h, paragraph, quiet } from './h.ts'

/** Event after the API key was set or deleted; pages repeat their requests. */
export const KEY_CHANGED = 'ledgerlake-key'

/** A form for the API key. Only the first one of a page is shown; the other parts say that they need the key. */
export function keyForm(): HTMLElement {
  const id = `key-${Math.random().toString(36).slice(2)}`
  const field = h('input', { id, type: 'password', autocomplete: 'off', required: true, spellcheck: 'false' })
  const save = (event: Event) => {
    event.preventDefault()
    keepKey(field.value.trim())
    document.dispatchEvent(new Event(KEY_CHANGED))
  }
  const form = h(
    'form.key-form',
    { submit: save },
    h('p.strong', knownKey() === null ? 'This server needs a key' : 'This key is not accepted'),
    paragraph('Paste the API key that the operator of this server gave you.'),
    h('label', { for: id }, 'API key'),
    h('div.row', field, h('button', { type: 'submit' }, 'Use this key')),
    quiet('It stays in this tab and is forgotten when the tab is closed.'),
  )
  queueMicrotask(showFirst)
  return div(form, h('p.quiet', { hidden: true }, 'This part needs the API key too.'))
}

function showFirst(): void {
  for (const [place, form] of document.querySelectorAll<HTMLElement>('.key-form').entries()) {
    form.hidden = place > 0
    if (form.nextElementSibling instanceof HTMLElement) form.nextElementSibling.hidden = place === 0
  }
}

/** A button that deletes the API key of this tab; hidden without a key. */
export function forgetButton(): HTMLElement {
  const button = h('button.small', { type: 'button', click: drop }, 'Forget my key')
  const update = () => {
    button.hidden = knownKey() === null
  }
  function drop(): void {
    forgetKey()
    document.dispatchEvent(new Event(KEY_CHANGED))
  }
  document.addEventListener(KEY_CHANGED, update)
  // A link with a key may be opened in this tab.
  addEventListener('hashchange', update)
  update()
  return button
}
