import { forgetKey, keepKey, knownKey } from '../ask/keys.ts'
import { h } from '../parts/h.ts'
import { KEY_CHANGED } from '../parts/key-form.ts'

/** The key of this tab, which the other pages use too. */
export function keyField(): HTMLElement {
  const field = h('input', {
    ...{ id: 'key', type: 'password', autocomplete: 'off', spellcheck: 'false', change: keep },
    placeholder: 'None; needed where the server asks for one',
  })
  const read = () => {
    field.value = knownKey() ?? ''
  }
  function keep(event: Event): void {
    event.preventDefault()
    const key = field.value.trim()
    if (key === '') forgetKey()
    else keepKey(key)
    document.dispatchEvent(new Event(KEY_CHANGED))
  }
  read()
  document.addEventListener(KEY_CHANGED, read)
  return h(
    'form',
    { class: 'panel key-field', 'aria-label': 'API key', submit: keep },
    h('h2', {}, h('label', { for: 'key' }, 'API key')),
    field,
    h(
      'p',
      { class: 'quiet' },
      'Sent as Authorization: Bearer. It stays in this tab and is forgotten when the tab is closed.',
    ),
  )
}
