import { forgetKey, knownKey } from '../ask/keys.ts'
import { h } from './h.ts'
import { KEY_CHANGED } from './key-form.ts'

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
  update()
  return button
}
